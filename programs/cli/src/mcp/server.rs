//! The protocol: lists the tools and answers calls, a few at a time.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as ListedTool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use tokio::sync::Semaphore;

use super::answer::Answer;
use super::call::refused;
use super::catalogue::TOOLS;
use super::places::Places;
use crate::published::schema_named;
use crate::shared::failure::Failure;
use pchr::Error;
use pchr::limits::{Limits, Shared};

/// The calls that run at the same time. Each may use all cores and much memory.
const MAX_RUNNING: usize = 4;
/// The calls that wait for one of them to end.
const MAX_WAITING: usize = 16;

/// A call may use as much work and as many pixels as this many steps: folders have many files.
const STEPS: u64 = 16;

/// Serves one client.
pub struct Server {
    places: Arc<Places>,
    /// Tools are listed with the schemas of their documents, which are long.
    lists_schemas: bool,
    /// Limits of each step.
    limits: Limits,
    /// The longest time for a call.
    timeout: Duration,
    /// How many more calls may run.
    running: Arc<Semaphore>,
    /// How many more may run or wait.
    taken: Arc<Semaphore>,
}

impl Server {
    pub fn new(places: Arc<Places>, limits: Limits, timeout: Duration, lists_schemas: bool) -> Self {
        let [running, taken] =
            [MAX_RUNNING, MAX_RUNNING + MAX_WAITING].map(|count| Arc::new(Semaphore::new(count)));
        Self { places, lists_schemas, limits, timeout, running, taken }
    }
}

/// Cancels a call when it is dropped, because the call has ended or nobody waits for it any more.
struct Stop(Arc<Shared>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.progress().cancel();
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let about = "Reads, renders, compares and converts 2D skeletal characters: Spine, SkelForm, PCHR, Pachario, \
                     Aseprite and sprite sheets. World units are pixels, y up.";
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("pchr", env!("CARGO_PKG_VERSION")))
            .with_instructions(about)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let listed = TOOLS.iter().map(|tool| {
            let about = ToolAnnotations::new().read_only(!tool.writes()).destructive(tool.writes());
            let listed =
                ListedTool::new(tool.name, tool.about, Arc::new(tool.input_schema())).with_annotations(about);
            match schema_named(tool.schema).filter(|_| self.lists_schemas) {
                Some(schema) => listed.with_raw_output_schema(Arc::new(schema)),
                None => listed,
            }
        });
        Ok(ListToolsResult::with_all_items(listed.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            return Err(ErrorData::invalid_params(format!("no tool named `{}`", request.name), None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let Ok(place) = Arc::clone(&self.taken).try_acquire_owned() else {
            let message =
                format!("{MAX_RUNNING} calls are running and {MAX_WAITING} are waiting; try again later");
            return Ok(failed("busy", message).into());
        };
        let limits = self.limits.shared_by("the call", STEPS);
        let _stop = limits.shared.clone().map(Stop);
        let work = async {
            let turn = Arc::clone(&self.running).acquire_owned().await;
            let places = Arc::clone(&self.places);
            tokio::task::spawn_blocking(move || {
                // Kept until the work has really ended.
                let _held = (place, turn);
                result(tool.call(&places, &arguments, &limits))
            })
            .await
        };
        match context.ct.run_until_cancelled(tokio::time::timeout(self.timeout, work)).await {
            Some(Ok(Ok(result))) => Ok(result.into()),
            Some(Ok(Err(error))) => Err(ErrorData::internal_error(error.to_string(), None)),
            Some(Err(_)) => {
                let seconds = self.timeout.as_secs();
                let help = "`pchr mcp --timeout SECONDS` allows more, 0 any time";
                Ok(failed("timeout", format!("the call has not ended after {seconds} s; {help}")).into())
            }
            // Not sent: the client does not wait for it.
            None => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }
}

fn failed(code: &'static str, message: String) -> CallToolResult {
    result(Answer { printed: refused(&Failure::Input(Error::misuse(code, message))), picture: None })
}

fn result(Answer { printed, picture }: Answer) -> CallToolResult {
    let structured = serde_json::from_str(&printed.text).ok();
    let image = picture.map(|png| ContentBlock::image(STANDARD.encode(png), "image/png"));
    let notes = printed.notes.into_iter().map(|note| ContentBlock::text(format!("note: {note}")));
    let content = [ContentBlock::text(printed.text)].into_iter().chain(image).chain(notes).collect();
    let mut result =
        if printed.is_failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = structured;
    result
}
