//! Triangles and pictures for the renderer of a game.

use std::mem::offset_of;

use pchr::draw::{BatchVertex, View};
use pchr::math::color::premultiply;
use pchr::math::{Vec2, vec2};
use pchr::model::Blend;

use crate::animator::{PchrAnimator, out_of_range};
use crate::border::{Failure, Out, PchrStatus, PchrText, guarded, owned};

/// How triangles are blended. All colours are premultiplied.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PchrBlend {
    /// Factors of source and target: one, one minus source alpha.
    Normal,
    /// The same factors; alpha of the vertices is 0.
    Additive,
    /// Factors: target colour, one minus source alpha. For alpha: one, one minus source alpha.
    Multiply,
    /// Factors: one, one minus source colour. For alpha: one, one minus source alpha.
    Screen,
}

/// A vertex. With texel, light and dark from 0 to 1, the fragment is
/// `texel.rgb * light.rgb + (texel.a - texel.rgb) * dark.rgb` with the alpha `texel.a * light.a`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrVertex {
    /// World pixels.
    pub x: f32,
    /// World pixels, up.
    pub y: f32,
    /// 0 to 1 from the left of the page.
    pub u: f32,
    /// 0 to 1 from the top of the page.
    pub v: f32,
    /// Red, green and blue, multiplied by alpha, and alpha.
    pub light: [u8; 4],
    /// Red, green and blue, multiplied by alpha, and 0.
    pub dark: [u8; 4],
}

/// A point in world pixels.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrPoint {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

/// Triangles of one page and blend mode, back to front.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrBatch {
    /// The index of the page; -1 for none: the texel is white.
    pub page: i32,
    /// How they are blended.
    pub blend: PchrBlend,
    /// Its first index.
    pub first_index: u32,
    /// Number of indices, three for each triangle. They count from the first vertex of all batches.
    pub index_count: u32,
    /// The first of its vertices, which no other batch uses.
    pub first_vertex: u32,
    /// Number of vertices.
    pub vertex_count: u32,
    /// The index of the clip that it is drawn in; -1 for none.
    pub clip: i32,
}

/// A polygon, outside of which its batches are not drawn: even-odd, nothing with fewer than three points. With a stencil,
/// draw it as a fan that inverts one bit, then the batches where the bit is set, then the fan again.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrClip {
    /// Its first point.
    pub first_point: u32,
    /// Number of points.
    pub point_count: u32,
    /// Its first batch.
    pub first_batch: u32,
    /// Number of batches.
    pub batch_count: u32,
}

/// Batches and their data, valid until the next `pchr_draw`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "pairs of pointers and lengths")]
pub struct PchrBatches {
    pub batches: *const PchrBatch,
    pub batch_count: usize,
    pub vertices: *const PchrVertex,
    pub vertex_count: usize,
    pub indices: *const u32,
    pub index_count: usize,
    pub clips: *const PchrClip,
    pub clip_count: usize,
    pub points: *const PchrPoint,
    pub point_count: usize,
}

/// A picture that batches are drawn from.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrPage {
    /// The name in the file.
    pub name: PchrText,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

// The vertices and the points of `Batches` are passed as they are.
const _: () = {
    assert!(size_of::<PchrVertex>() == size_of::<BatchVertex>());
    assert!(align_of::<PchrVertex>() == align_of::<BatchVertex>());
    assert!(offset_of!(PchrVertex, x) == offset_of!(BatchVertex, position));
    assert!(offset_of!(PchrVertex, u) == offset_of!(BatchVertex, uv));
    assert!(offset_of!(PchrVertex, light) == offset_of!(BatchVertex, light));
    assert!(offset_of!(PchrVertex, dark) == offset_of!(BatchVertex, dark));
    assert!(size_of::<PchrPoint>() == size_of::<Vec2>() && align_of::<PchrPoint>() == align_of::<Vec2>());
};

/// Returns what is drawn in the pose of the last `pchr_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_draw(animator: *mut PchrAnimator, out: *mut PchrBatches) -> PchrStatus {
    guarded(|| {
        let out = Out::new(out)?;
        // SAFETY: the animator is valid, by the contract of the header.
        let PchrAnimator { animator, list, batches, drawn, clips, .. } = unsafe { owned(animator)? };
        // It does not matter for triangles.
        let view = View::new(1, 1, vec2(0.0, 0.0), 1.0);
        animator.build_draw_list(&view, list);
        batches.build(animator.model(), list);
        let index = |at: Option<usize>| at.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1);
        drawn.clear();
        drawn.extend(batches.batches().iter().map(|batch| PchrBatch {
            page: index(batch.page.map(|page| page.index())),
            blend: match batch.blend {
                Blend::Normal => PchrBlend::Normal,
                Blend::Additive => PchrBlend::Additive,
                Blend::Multiply => PchrBlend::Multiply,
                Blend::Screen => PchrBlend::Screen,
            },
            first_index: batch.indices.start,
            index_count: batch.indices.len() as u32,
            first_vertex: batch.vertices.start,
            vertex_count: batch.vertices.len() as u32,
            clip: index(batch.clip.map(|clip| clip as usize)),
        }));
        clips.clear();
        clips.extend(batches.clips().iter().map(|clip| PchrClip {
            first_point: clip.points.start,
            point_count: clip.points.len() as u32,
            first_batch: clip.batches.start,
            batch_count: clip.batches.len() as u32,
        }));
        let all = PchrBatches {
            batches: drawn.as_ptr(),
            batch_count: drawn.len(),
            vertices: batches.vertices().as_ptr().cast(),
            vertex_count: batches.vertices().len(),
            indices: batches.indices().as_ptr(),
            index_count: batches.indices().len(),
            clips: clips.as_ptr(),
            clip_count: clips.len(),
            points: batches.clip_points().as_ptr().cast(),
            point_count: batches.clip_points().len(),
        };
        // SAFETY: C has room for the batches.
        unsafe { out.put(all) };
        Ok(())
    })
}

/// Counts the pages.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_page_count(animator: *mut PchrAnimator, count: *mut usize) -> PchrStatus {
    guarded(|| {
        let out = Out::new(count)?;
        // SAFETY: the animator is valid, by the contract of the header, and C has room for a number.
        unsafe { out.put(owned(animator)?.animator.model().pages().len()) };
        Ok(())
    })
}

/// Describes a page.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_page(animator: *mut PchrAnimator, index: usize, page: *mut PchrPage) -> PchrStatus {
    guarded(|| {
        let out = Out::new(page)?;
        // SAFETY: the animator is valid, by the contract of the header.
        let pages = unsafe { owned(animator)? }.animator.model().pages();
        let page = pages.get(index).ok_or_else(out_of_range)?;
        let page = PchrPage { name: PchrText::from(&*page.name), width: page.width, height: page.height };
        // SAFETY: C has room for a page.
        unsafe { out.put(page) };
        Ok(())
    })
}

/// Writes the pixels of a page: premultiplied RGBA, rows from the top. `len` is `width * height * 4`. Do not use sRGB
/// formats for textures and targets, and clamp texture coordinates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_read_page(
    animator: *mut PchrAnimator,
    index: usize,
    rgba: *mut u8,
    len: usize,
) -> PchrStatus {
    guarded(|| {
        // SAFETY: the animator is valid, by the contract of the header.
        let pages = unsafe { owned(animator)? }.animator.model().pages();
        let page = pages.get(index).ok_or_else(out_of_range)?;
        if rgba.is_null() || len != page.pixels.len() {
            return Err(Failure::misuse("bad-length", &format!("the page has {} bytes", page.pixels.len())));
        }
        // SAFETY: both have `len` bytes, and C's memory is not that of the page.
        unsafe { page.pixels.as_ptr().copy_to_nonoverlapping(rgba, len) };
        if !page.is_premultiplied {
            // SAFETY: all bytes were just written, and only this call uses them.
            let pixels = unsafe { std::slice::from_raw_parts_mut(rgba, len) };
            pixels.as_chunks_mut().0.iter_mut().for_each(|pixel| *pixel = premultiply(*pixel));
        }
        Ok(())
    })
}
