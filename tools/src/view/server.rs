//! Serves the inspector to a browser on the same machine.
//!
//! # Invariants
//! * It listens on the loopback interface only.
//! * Every path starts with a random word, which only the printed address contains. The browser is started with
//!   another address, which leads there once, because all users of a machine can read a program's arguments.
//! * A request for another host, or from another origin's page, is refused, so that no other page can use the word,
//!   even if it makes its own name point to this machine.
//! * Files come from the page, by name; no path is ever opened.
//! * Only a few requests are answered at a time, to bound memory.
//! * It ends some minutes after the last page has been closed.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use pspge::inspect::{InspectedFile, Inspector, PartFiles, RunRequest};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::{page, random, report};
use crate::terminal::failure::Failure;

/// Accepts requests up to this many bytes, because they bring the files to open.
const REQUEST_MAX: usize = 1 << 30;
/// How many requests are answered at a time. The others wait before their bytes are read.
const BUSY_MAX: usize = 8;
/// After this time without a request, no page can be open, because each sends one in a minute.
const IDLE_MAX: Duration = Duration::from_secs(5 * 60);
/// How often to check for an open page.
const IDLE_CHECK: Duration = Duration::from_secs(20);

/// A source of frames, for the page to ask for the next.
pub(crate) struct NextFrame {
    name: String,
    record: Box<dyn Fn() -> Result<InspectedFile, Failure> + Send + Sync>,
}

impl NextFrame {
    /// Creates a source with a name for the page to show.
    pub(crate) fn new(
        name: &str,
        record: impl Fn() -> Result<InspectedFile, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.to_owned(), record: Box::new(record) }
    }
}

pub(crate) struct Server {
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    address: SocketAddr,
    access: Arc<Access>,
}

struct Access {
    /// Every address starts with this random word.
    word: String,
    /// Requests may name only these hosts and origins.
    hosts: [String; 2],
    inspector: Inspector,
    next_frame: Option<NextFrame>,
    /// Where the page opens.
    at: Option<String>,
    /// The word that leads to the page once.
    code: Mutex<Option<String>>,
    busy: Semaphore,
    /// When the last request came; `None` before the first.
    last_request: Mutex<Option<Instant>>,
}

impl Access {
    /// Notes that a page is open.
    fn note_request(&self) {
        *self.last_request.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether this path leads to the page once.
    fn is_opening(&self, path: &str) -> bool {
        let code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        code.as_ref().is_some_and(|code| path.strip_prefix("/open/") == Some(code))
    }

    /// Whether a page was open, but no more.
    fn is_idle(&self, now: Instant) -> bool {
        let last = *self.last_request.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| now.saturating_duration_since(last) > IDLE_MAX)
    }

    /// Returns once no page has been open for a while.
    async fn idle(&self) {
        while !self.is_idle(Instant::now()) {
            tokio::time::sleep(IDLE_CHECK).await;
        }
    }
}

impl Server {
    /// Starts to listen on a port; 0 picks any free port. With a source of frames, the page gets a button for the
    /// next.
    ///
    /// # Errors
    /// If the port is not free, or if the system has no random numbers.
    pub(crate) fn start(
        port: u16,
        inspector: Inspector,
        next_frame: Option<NextFrame>,
        at: Option<String>,
    ) -> Result<Self, Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::usage(format_args!("--port {port}: the server does not start: {error}"))
        };
        let word = random::word().map_err(|error| failed(&error))?;
        let code = random::word().map_err(|error| failed(&error))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let listener = runtime
            .block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))
            .map_err(|error| failed(&error))?;
        let address = listener.local_addr().map_err(|error| failed(&error))?;
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", address.port()));
        let access = Arc::new(Access {
            word,
            hosts,
            inspector,
            next_frame,
            at,
            code: Mutex::new(Some(code)),
            busy: Semaphore::new(BUSY_MAX),
            last_request: Mutex::default(),
        });
        Ok(Self { runtime, listener, address, access })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}/{}/", self.address, self.access.word)
    }

    /// Returns an address that leads to the page once.
    pub(crate) fn opening_address(&self) -> String {
        let code = self.access.code.lock().unwrap_or_else(PoisonError::into_inner);
        code.as_ref().map_or_else(|| self.address(), |code| format!("http://{}/open/{code}", self.address))
    }

    /// Answers requests until the last page has been closed for some minutes.
    ///
    /// # Errors
    /// If the system closes the port.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Self { runtime, listener, access, .. } = self;
        // Browsers keep connections open after their last request, so this does not wait for their end.
        let served = runtime.block_on(async {
            tokio::select! {
                served = async { axum::serve(listener, router(Arc::clone(&access))).await } => served,
                () = access.idle() => Ok(()),
            }
        });
        served.map_err(|error| Failure::usage(format_args!("the server has ended: {error}")))
    }
}

fn router(access: Arc<Access>) -> Router {
    Router::new()
        .route("/open/{code}", get(open))
        .route("/{word}/", get(index))
        .route("/{word}/alive", post(async || StatusCode::NO_CONTENT))
        .route("/{word}/api", post(api).layer(DefaultBodyLimit::max(REQUEST_MAX)))
        .route("/{word}/next", post(next))
        .route("/{word}/page", post(page_as_file))
        .route("/{word}/{*name}", get(file))
        .layer(middleware::from_fn_with_state(Arc::clone(&access), guard))
        .with_state(access)
}

/// Refuses requests by others, and adds headers to keep the page to itself.
async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    if let Err(reason) = check(&access, request.uri().path(), request.headers()) {
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    access.note_request();
    let Ok(_permit) = access.busy.acquire().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let mut response = next.run(request).await;
    let fixed = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(access: &Access, path: &str, headers: &HeaderMap) -> Result<(), &'static str> {
    let word = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    if word != access.word && !access.is_opening(path) {
        return Err("the address lacks the word that pspge view has printed");
    }
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let is_known = |host: &str| access.hosts.iter().any(|known| known == host);
    if !text(header::HOST).is_some_and(is_known) {
        return Err("the request names another host");
    }
    let origin = text(header::ORIGIN);
    if origin.is_some_and(|origin| !origin.strip_prefix("http://").is_some_and(is_known)) {
        return Err("the request comes from another page");
    }
    Ok(())
}

/// Leads to the page, once for a code.
async fn open(State(access): State<Arc<Access>>, Path(code): Path<String>) -> Response {
    let known = &mut *access.code.lock().unwrap_or_else(PoisonError::into_inner);
    if known.take_if(|known| *known == code).is_none() {
        return (
            StatusCode::FORBIDDEN,
            "this address was used already; open the one that pspge view has printed",
        )
            .into_response();
    }
    Redirect::to(&format!("/{}/", access.word)).into_response()
}

async fn index(State(access): State<Arc<Access>>) -> Response {
    let Ok(nonce) = random::word() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    // Only the page's own files may load, so that names and texts from inputs cannot run as code.
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; img-src 'self' blob: data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    let emulator = access.next_frame.as_ref().map(|source| source.name.as_str());
    (headers, page::served(&nonce, emulator, access.at.as_deref())).into_response()
}

async fn file(Path((_, name)): Path<(String, String)>) -> Response {
    match page::file(&name) {
        Some((media_type, bytes)) => {
            ([(header::CONTENT_TYPE, media_type)], bytes.into_owned()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "the page has no such file").into_response(),
    }
}

async fn api(State(access): State<Arc<Access>>, message: Bytes) -> Response {
    // Answering may take seconds, so it must not block the thread that listens.
    let answered = tokio::task::spawn_blocking(move || access.inspector.handle(&message)).await;
    match answered {
        Ok(answer) => ([(header::CONTENT_TYPE, "application/octet-stream")], answer).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// A part of a file to show in the page as a single file, and where it opens.
#[derive(Debug, Deserialize)]
struct PageRequest {
    run: RunRequest,
    /// The place without its member, because this may have another path in the page; `None` opens it like a new
    /// page.
    at: Option<String>,
}

/// Writes the page as a single file. A failure is answered by its reason.
async fn page_as_file(State(access): State<Arc<Access>>, request: Bytes) -> Response {
    let written = tokio::task::spawn_blocking(move || {
        let PageRequest { run, at } =
            serde_json::from_slice(&request).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
        let PartFiles { files, member } =
            access.inspector.files(&run).map_err(|error| (StatusCode::NOT_FOUND, error.to_string()))?;
        report::write(&files, member.as_deref(), at.as_deref())
            .map_err(|failure| (StatusCode::NOT_IMPLEMENTED, message_of(&failure)))
    });
    match written.await {
        Ok(Ok(page)) => ([(header::CONTENT_TYPE, "application/octet-stream")], page).into_response(),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

fn message_of(failure: &Failure) -> String {
    failure.as_error().map(|error| error.info.message.clone()).unwrap_or_default()
}

/// Records another frame, which then is the file to inspect.
async fn next(State(access): State<Arc<Access>>) -> Response {
    let recorded = tokio::task::spawn_blocking(move || {
        let source = access.next_frame.as_ref()?;
        Some((source.record)().map(|file| access.inspector.set_file(0, file)))
    });
    match recorded.await {
        Ok(Some(Ok(()))) => StatusCode::NO_CONTENT.into_response(),
        Ok(Some(Err(failure))) => (StatusCode::BAD_GATEWAY, message_of(&failure)).into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, "the page shows a file").into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        Access {
            word: random::word().expect("random numbers"),
            hosts: ["127.0.0.1:99".to_owned(), "localhost:99".to_owned()],
            inspector: Inspector::new(pspge::Limits::default()),
            next_frame: None,
            at: None,
            code: Mutex::new(Some("once".to_owned())),
            busy: Semaphore::new(BUSY_MAX),
            last_request: Mutex::default(),
        }
    }

    #[test]
    fn a_server_without_pages_ends() {
        let access = access();
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        assert!(!access.is_idle(now + 2 * IDLE_MAX), "no page has come yet");
        access.note_request();
        assert!(!access.is_idle(now + IDLE_MAX - second), "a page may still be open");
        assert!(access.is_idle(Instant::now() + IDLE_MAX + second), "it would have sent a request");
    }

    #[test]
    fn requests_of_others_are_refused() {
        let access = access();
        let word = access.word.clone();
        let allowed = |path: &str, headers: &[(HeaderName, &'static str)]| {
            let headers = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
            check(&access, path, &headers.collect()).is_ok()
        };
        let page = format!("/{word}/");
        let here = (header::HOST, "127.0.0.1:99");
        assert!(allowed(&page, std::slice::from_ref(&here)), "the page");
        assert!(allowed(&page, &[(header::HOST, "localhost:99")]), "by name");
        assert!(allowed(&page, &[here.clone(), (header::ORIGIN, "http://127.0.0.1:99")]), "the page itself");
        assert!(allowed("/open/once", std::slice::from_ref(&here)), "the browser that is started");
        for (path, headers) in [
            ("/", vec![here.clone()]),
            ("/open/", vec![here.clone()]),
            ("/open/twice", vec![here.clone()]),
            ("/open/api", vec![here.clone()]),
            ("/open/once", vec![(header::HOST, "evil.example:99")]),
            ("/0123456789abcdef0123456789abcdef/api", vec![here.clone()]),
            (page.as_str(), vec![]),
            (&page, vec![(header::HOST, "evil.example:99")]),
            (&page, vec![(header::HOST, "127.0.0.1:98")]),
            (&page, vec![here.clone(), (header::ORIGIN, "http://evil.example")]),
            (&page, vec![here.clone(), (header::ORIGIN, "https://127.0.0.1:99")]),
            (&page, vec![here.clone(), (header::ORIGIN, "null")]),
        ] {
            assert!(!allowed(path, &headers), "{path} {headers:?}");
        }
    }
}
