// SPDX-License-Identifier: GPL-2.0-or-later

//! Functions and closures in the bodies of functions, of methods and of generic functions.

use std::hint::black_box;

struct Thing {
    by: i32,
}

impl Thing {
    #[inline(never)]
    fn method(&self, n: i32) -> i32 {
        #[inline(never)]
        fn deeper(m: i32) -> i32 {
            black_box(m) * 3
        }
        let ret = deeper(n);
        black_box(ret) + self.by
    }
}

#[inline(never)]
fn twice<T: Copy + Into<i32>>(n: T) -> i32 {
    #[inline(never)]
    fn more(m: i32) -> i32 {
        black_box(m) + 1
    }
    let add = |m: i32| black_box(m) + n.into();
    let ret = more(n.into());
    black_box(add(ret)) + 1
}

fn main() {
    println!("{}", twice(2i16) + Thing { by: 3 }.method(4));
}
