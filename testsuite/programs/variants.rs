// SPDX-License-Identifier: GPL-2.0-or-later

//! Enumerations with values, and text that has a length.

use std::hint::black_box;

#[derive(Debug)]
pub enum Shape {
    Circle(i32),
    Rect { w: u32, h: i64 },
    Named(String),
    Empty,
}

pub struct Holder<'a> {
    shape: Shape,
    label: Option<&'a str>,
    number: Option<u32>,
    byte: u8,
}

#[inline(never)]
fn show(holder: &Holder, list: &[u16], text: &str) -> usize {
    match &holder.shape {
        Shape::Circle(r) => *r as usize,
        Shape::Rect { w, h } => (*w as i64 - *h) as usize,
        Shape::Named(s) => s.len(),
        Shape::Empty => holder.byte as usize,
    }
    .wrapping_add(list.len() + text.len() + holder.label.map_or(0, str::len) + holder.number.unwrap_or(0) as usize)
}

pub enum Color {
    Red,
    Green,
}

#[inline(never)]
fn bytes(signs: &[i8], colors: &[Color], text: &[u8]) -> usize {
    signs.len() + colors.iter().filter(|c| matches!(c, Color::Green)).count() + text.len()
}

fn main() {
    let shapes = [Shape::Circle(-3), Shape::Rect { w: 3, h: -4 }, Shape::Named(String::from("owned")), Shape::Empty];
    let words = "some words";
    for (i, shape) in shapes.into_iter().enumerate() {
        let holder = Holder {
            shape,
            label: if i % 2 == 0 { Some(&words[0..4]) } else { None },
            number: if i < 2 { Some(40 + i as u32) } else { None },
            byte: 65 + i as u8,
        };
        black_box(show(black_box(&holder), black_box(&[7, 8, 9, 10]), black_box(&words[5..8])));
    }
    black_box(bytes(black_box(&[-1, 2]), black_box(&[Color::Green, Color::Red]), black_box(b"text")));
}
