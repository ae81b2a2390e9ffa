//! Writes stored frames in the forms of PCHR, which store them unchanged.

use std::sync::Arc;

use crate::convert::frames::{Frames, Written};
use crate::convert::text::in_memory;
use crate::convert::{Body, ConvertError, ConvertOptions, Files, JsonForm, OutFile};
use crate::error::{Error, Place};
use crate::export::distinct_names;
use crate::formats::pchr::json::pachario::Pachario;
use crate::formats::pchr::json::write_packed;
use crate::formats::pchr::{self, Document};
use crate::limits::Budget;

/// Writes PCHR v1.
pub fn v1(frames: &Frames, options: &ConvertOptions, _: &mut Budget<'_>) -> Result<Written, ConvertError> {
    let file = frames.to_v1(None).map_err(ConvertError::Input)?;
    let parts = pchr::write_parts(&file).map_err(ConvertError::Output)?;
    Ok(Files::one(&options.file_name, parts).into())
}

/// Writes one of the JSON forms.
pub fn json_form(
    frames: &Frames,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
    form: JsonForm,
) -> Result<Written, ConvertError> {
    json(Arc::clone(frames), &options.file_name, form, budget).map(Written::from)
}

/// Writes Pachario JSON and its only image in one file.
pub fn packed_pachario(
    document: &Frames,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Written, ConvertError> {
    let images = &document.file.images;
    let count = images.len();
    if count > 1 {
        let message = format!("packed Pachario can contain only one image, this character has {count}");
        return Err(ConvertError::Output(Error::unsupported("too-many", Place::default(), message)));
    }
    let names: Vec<String> = images.iter().map(|image| image.name.clone()).collect();
    let json =
        in_memory(budget, |out| Pachario::new(document, &names).write(out)).map_err(ConvertError::writing)?;
    let has_picture = count == 1 && document.missing(0).is_none();
    let picture = if has_picture {
        document.png_within(0, budget).map_err(ConvertError::Input)?
    } else {
        Default::default()
    };
    let parts = write_packed(&json, &picture).map_err(ConvertError::Output)?;
    Ok(Files::one(&options.file_name, parts).into())
}

/// Returns the images of `document` and the JSON that refers to them.
pub fn json(
    document: Arc<Document>,
    file_name: &str,
    form: JsonForm,
    budget: &mut Budget<'_>,
) -> Result<Files, ConvertError> {
    let names = distinct_names(document.file.images.iter().map(|image| image.name.as_str()), ".png");
    let mut files = Files::default();
    for (index, name) in names.iter().enumerate() {
        if document.missing(index).is_some() {
            // A reader would mistake another image of that name for the missing one.
            files.must_not_exist.push(name.clone());
            continue;
        }
        let png = document.png_within(index, budget).map_err(ConvertError::Input)?;
        files.pictures.push(OutFile::new(name.clone(), png));
    }
    let body = Body::Json { document, pictures: names, form };
    files.files.push(OutFile { name: file_name.to_owned(), body });
    Ok(files)
}
