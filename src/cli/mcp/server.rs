//! The protocol: lists the tools and answers calls, one at a time.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as ListedTool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};

use super::answer::Answer;
use super::catalogue::{TOOLS, Tool};
use super::places::Places;
use crate::cli::published::schema_named;

/// Serves one client.
pub struct Server {
    /// Locked while a tool runs: it may use all cores and much memory.
    places: Arc<Mutex<Places>>,
}

impl Server {
    pub fn new(places: Places) -> Self {
        Self { places: Arc::new(Mutex::new(places)) }
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
            match schema_named(tool.schema) {
                Some(schema) => listed.with_raw_output_schema(Arc::new(schema)),
                None => listed,
            }
        });
        Ok(ListToolsResult::with_all_items(listed.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            return Err(ErrorData::invalid_params(format!("no tool named `{}`", request.name), None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let places = Arc::clone(&self.places);
        let answer = tokio::task::spawn_blocking(move || answer(tool, &places, &arguments)).await;
        match answer {
            Ok(result) => Ok(result.into()),
            Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
        }
    }
}

fn answer(tool: &Tool, places: &Mutex<Places>, arguments: &JsonObject) -> CallToolResult {
    let places = places.lock().unwrap_or_else(PoisonError::into_inner);
    let Answer { printed, picture } = tool.call(&places, arguments);
    let structured = serde_json::from_str(&printed.text).ok();
    let image = picture.map(|png| ContentBlock::image(STANDARD.encode(png), "image/png"));
    let content = [ContentBlock::text(printed.text)].into_iter().chain(image).collect();
    let mut result =
        if printed.is_failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = structured;
    result
}
