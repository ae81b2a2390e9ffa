//! Messages on stdin and stdout, one a line. A line that is no message is answered with the reason.

use std::io::{self, BufRead, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::thread;

use rmcp::ErrorData;
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::io::{Empty, Stdout};
use tokio::sync::{Notify, mpsc};

/// The longest message.
const MAX_BYTES: u64 = 16 << 20;

type Received = Result<RxJsonRpcMessage<RoleServer>, ServerJsonRpcMessage>;
type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// stdin, read on a thread of its own, and stdout.
pub struct Lines {
    received: mpsc::Receiver<Received>,
    out: AsyncRwTransport<RoleServer, Empty, Stdout>,
    /// The answer to a line that is no message. Kept, since waiting for messages is given up and resumed at any time.
    refusal: Option<Sending>,
    ended: Arc<Notify>,
}

impl Lines {
    /// Begins to read. `ended` is notified at the end of stdin.
    pub fn start(ended: Arc<Notify>) -> io::Result<Self> {
        let (sender, received) = mpsc::channel(16);
        // Not waited for at the end: nothing stops a thread that reads.
        thread::Builder::new().name("stdin".to_owned()).spawn(move || read(io::stdin().lock(), &sender))?;
        let out = AsyncRwTransport::new_server(tokio::io::empty(), tokio::io::stdout());
        Ok(Self { received, out, refusal: None, ended })
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.out.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(sending) = &mut self.refusal {
                // If nobody reads the answers, this line has none either.
                let _ = sending.await;
                self.refusal = None;
            }
            match self.received.recv().await {
                Some(Ok(message)) => return Some(message),
                Some(Err(refusal)) => self.refusal = Some(Box::pin(self.out.send(refusal))),
                None => {
                    self.ended.notify_one();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Transport::<RoleServer>::close(&mut self.out).await
    }
}

/// Reads until the end of the input, or until nobody receives.
fn read(mut input: impl BufRead, sender: &mpsc::Sender<Received>) {
    let mut line = Vec::new();
    while let Ok(1..) = input.by_ref().take(MAX_BYTES + 1).read_until(b'\n', &mut line) {
        let received = if line.len() as u64 > MAX_BYTES {
            let _ = input.skip_until(b'\n');
            Some(Err(refused(ErrorData::invalid_request("the message has more than 16 MiB", None), None)))
        } else {
            parse(line.trim_ascii())
        };
        line.clear();
        if received.is_some_and(|received| sender.blocking_send(received).is_err()) {
            return;
        }
    }
}

/// Returns `None` for an empty line, and for a notification of another protocol, which has no answer.
fn parse(line: &[u8]) -> Option<Received> {
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Some(Ok(message)),
        Err(_) if line.is_empty() => return None,
        Err(error) if !error.is_data() => {
            return Some(Err(refused(ErrorData::parse_error(format!("this is not JSON: {error}"), None), None)));
        }
        Err(error) => error,
    };
    #[derive(Default, Deserialize)]
    struct Head {
        id: Option<RequestId>,
        method: Option<IgnoredAny>,
    }
    // A list would be taken for the fields in order.
    let head = if line.starts_with(b"{") { serde_json::from_slice(line).ok() } else { None };
    let Head { id, method } = head.unwrap_or_default();
    if id.is_none() && method.is_some() {
        return None;
    }
    Some(Err(refused(ErrorData::invalid_request(format!("this is not a message: {error}"), None), id)))
}

fn refused(error: ErrorData, id: Option<RequestId>) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(error, id)
}
