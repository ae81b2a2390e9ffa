//! Writes stored frames in the forms of PCHR, which store them unchanged.

use std::io;
use std::sync::Arc;

use crate::convert::frames::{Frames, Written};
use crate::convert::{Body, ConvertError, ConvertOptions, Files, JsonForm, OutFile};
use crate::error::{Error, Place};
use crate::export::distinct_names;
use crate::formats::pchr::json::pachario::Pachario;
use crate::formats::pchr::{self, Document};

/// Writes PCHR v1.
pub fn v1(frames: &Frames, options: &ConvertOptions) -> Result<Written, ConvertError> {
    let file = frames.document.to_v1(None).map_err(ConvertError::Input)?;
    let bytes = pchr::write(&file).map_err(ConvertError::Output)?;
    Ok(Files::one(&options.file_name, bytes).into())
}

/// Writes the JSON description of PCHR v1.
pub fn description(frames: &Frames, options: &ConvertOptions) -> Result<Written, ConvertError> {
    crate::convert::description(Arc::clone(&frames.document), &options.file_name).map(Written::from)
}

/// Writes Pachario JSON.
pub fn pachario(frames: &Frames, options: &ConvertOptions) -> Result<Written, ConvertError> {
    json(Arc::clone(&frames.document), &options.file_name, JsonForm::Pachario).map(Written::from)
}

/// Writes Pachario JSON and its only image in one file.
pub fn packed_pachario(Frames { document }: &Frames, options: &ConvertOptions) -> Result<Written, ConvertError> {
    let images = &document.file.images;
    let count = images.len();
    if count > 1 {
        let message = format!("packed Pachario can contain only one image, this character has {count}");
        return Err(ConvertError::Output(Error::unsupported("too-many", Place::default(), message)));
    }
    let names: Vec<String> = images.iter().map(|image| image.name.clone()).collect();
    let mut json = Vec::new();
    Pachario::new(document, &names).write(&mut json).map_err(unwritten)?;
    let has_picture = count == 1 && document.missing(0).is_none();
    let picture = if has_picture { document.png(0).map_err(ConvertError::Input)? } else { Default::default() };
    let bytes = pchr::packed::write(&json, &picture).map_err(ConvertError::Output)?;
    Ok(Files::one(&options.file_name, bytes).into())
}

/// Returns the images of `document` and the JSON that refers to them.
pub fn json(document: Arc<Document>, file_name: &str, form: JsonForm) -> Result<Files, ConvertError> {
    let names = distinct_names(document.file.images.iter().map(|image| image.name.as_str()), ".png");
    let mut files = Files::default();
    for (index, name) in names.iter().enumerate() {
        if document.missing(index).is_some() {
            // A reader would mistake another image of that name for the missing one.
            files.must_not_exist.push(name.clone());
            continue;
        }
        let png = document.png(index).map_err(ConvertError::Input)?;
        files.pictures.push(OutFile::new(name.clone(), png));
    }
    let body = Body::Json { document, pictures: names, form };
    files.files.push(OutFile { name: file_name.to_owned(), body });
    Ok(files)
}

fn unwritten(error: io::Error) -> ConvertError {
    ConvertError::Output(Error::io("JSON", error))
}
