// SPDX-License-Identifier: GPL-2.0-or-later

//! Values that Rust passes otherwise than C would.

use std::hint::black_box;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Big {
    a: u64,
    b: u64,
    c: u64,
}

#[inline(never)]
fn thin(a: u32, b: &u64, c: bool) -> u64 {
    black_box(a as u64 + *b + c as u64)
}

#[inline(never)]
fn pair(p: (u32, u32), after: u32) -> (u32, u32) {
    black_box((p.1 + after, p.0))
}

#[inline(never)]
fn option(o: Option<u32>, after: u32) -> Option<u32> {
    black_box(o.map(|v| v + after))
}

#[inline(never)]
fn big(before: u32, b: Big, after: u32) -> Big {
    black_box(Big { a: b.c + before as u64, b: b.b, c: b.a + after as u64 })
}

#[inline(never)]
fn words(s: &str, o: Option<u64>, after: u32) -> (u64, u64) {
    black_box((s.len() as u64 + after as u64, o.unwrap_or(9)))
}

#[inline(never)]
fn split(a: u64, b: u64, c: u64, d: u64, e: u64, s: &str, after: u32) -> usize {
    black_box((a + b + c + d + e + after as u64) as usize + s.len())
}

#[inline(never)]
fn floating(a: (f64, u64), after: u32) -> (f64, u64) {
    black_box((a.0, a.1 + after as u64))
}

#[inline(never)]
fn boxed(b: Option<Box<u32>>, nothing: (), after: u32) -> Option<Box<u32>> {
    black_box(nothing);
    black_box(b.map(|v| Box::new(*v + after)))
}

#[derive(Clone, Copy)]
pub struct Triple {
    a: u64,
    b: u32,
    c: u32,
}

#[inline(never)]
fn triple(t: Triple, after: u32) -> Triple {
    black_box(Triple { a: t.a + after as u64, b: t.c, c: t.b })
}

#[inline(never)]
extern "C" fn foreign(b: Big, after: u32) -> u64 {
    black_box(b.a + after as u64)
}

#[repr(align(16))]
#[derive(Clone, Copy)]
pub struct Aligned {
    a: u64,
    b: u64,
}

#[inline(never)]
fn aligned(t: Aligned, after: u32) -> u64 {
    black_box(t.a + t.b + after as u64)
}

#[inline(never)]
fn aligning(after: u32) -> Aligned {
    black_box(Aligned { a: after as u64, b: 23 })
}

#[inline(never)]
fn failing(after: u32) -> Result<u64, u32> {
    black_box(if after > 24 { Err(after) } else { Ok(after as u64) })
}

#[inline(never)]
fn floats(after: u32) -> (f32, f64) {
    black_box((0.25, after as f64))
}

#[inline(never)]
fn hiding(n: Option<u32>, after: u32) -> u32 {
    let n = n.unwrap_or(after);
    black_box(n + 1)
}

// What a closure captured is passed before its parameters.
#[inline(never)]
fn capturing(k: u32) -> u32 {
    let capturing = |q: u32, r: u32| {
        black_box(q * r + k)
    };
    let f: &dyn Fn(u32, u32) -> u32 = black_box(&capturing);
    f(black_box(29), black_box(30))
}

fn main() {
    let b = black_box(Big { a: 11, b: 12, c: 13 });
    black_box(thin(black_box(1), black_box(&2), black_box(true)));
    black_box(pair(black_box((3, 4)), black_box(5)));
    black_box(option(black_box(Some(6)), black_box(7)));
    black_box(big(black_box(8), b, black_box(9)));
    black_box(words(black_box("ten"), black_box(Some(11)), black_box(12)));
    black_box(split(black_box(1), 2, 3, 4, 5, black_box("six"), black_box(7)));
    black_box(floating(black_box((0.5, 13)), black_box(14)));
    black_box(boxed(black_box(Some(Box::new(15))), (), black_box(16)));
    black_box(triple(black_box(Triple { a: 18, b: 19, c: 20 }), black_box(21)));
    black_box(foreign(b, black_box(17)));
    black_box(aligned(black_box(Aligned { a: 22, b: 23 }), black_box(24)));
    black_box(aligning(black_box(25)));
    let _ = black_box(failing(black_box(26)));
    black_box(floats(black_box(27)));
    black_box(hiding(black_box(None), black_box(28)));
    black_box(capturing(black_box(31)));
}
