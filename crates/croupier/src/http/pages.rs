//! The pages of the client, built into the binary.

use axum::body::Body;
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::{No, Problem};

/// What is said where the binary was built without pages.
pub const ARE_MISSING: &str = concat!(
    "The pages are not built in. Build them and then this program again:\n\n",
    "    cd web && npm ci && npm run build\n\n",
    "The API under /api and every other command work without them.\n",
);

/// `web/dist` as it was when this program was built; in a debug build as it is now.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist"]
#[allow_missing = true]
struct Pages;

/// True if there are no pages.
pub fn are_missing() -> bool {
    Pages::get("index.html").is_none()
}

/// A file of the pages; every path without a dot is a place within the one page.
pub async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let place = !path.rsplit('/').next().unwrap_or_default().contains('.');
    if let Some(file) = Pages::get(path).filter(|_| !place) {
        return served(path, file);
    }
    match Pages::get("index.html").filter(|_| place) {
        Some(index) => served("index.html", index),
        None if place && are_missing() => {
            let kind = HeaderValue::from_static("text/plain; charset=utf-8");
            ([(header::CONTENT_TYPE, kind)], ARE_MISSING).into_response()
        }
        None => Problem::from(No::NotFound).into_response(),
    }
}

fn served(path: &str, file: EmbeddedFile) -> Response {
    // Names under assets/ carry a hash of what they hold.
    let cache = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type(path))),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
    ];
    (headers, Body::from(file.data.into_owned())).into_response()
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" | "opus" => "audio/ogg",
        "txt" | "md" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
