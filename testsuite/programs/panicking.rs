// SPDX-License-Identifier: GPL-2.0-or-later

//! Calls that a panic ends, within one thread and of another.

use std::hint::black_box;

#[inline(never)]
fn risky(n: i32) -> i32 {
    if n > 1 {
        panic!("{} is too much", n)
    }
    n + 1
}

#[inline(never)]
fn around(n: i32) -> i32 {
    black_box(risky(n)) * 10
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(|| around(black_box(5))).is_err();
    let joined = std::thread::spawn(|| around(black_box(6))).join().is_err();
    println!("{} {} {}", caught, joined, around(black_box(1)));
}
