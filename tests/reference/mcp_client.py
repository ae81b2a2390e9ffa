"""Calls `pchr mcp` through the official Python SDK, which validates messages and documents, with all tools. Argument: the program."""

import asyncio
import base64
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client


async def main(program: str) -> None:
    server = StdioServerParameters(command=program, args=["mcp", "art", "--out", "out", "--output-schemas"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        calls = [
            ("inspect", {"path": "knight.pchr"}),
            ("validate", {"path": "knight.pchr"}),
            ("render", {"path": "knight.pchr", "animation": "walk", "size": "32"}),
            ("contact_sheet", {"path": "knight.pchr", "grid": "2x2", "size": "32"}),
            ("poses", {"path": "knight.pchr", "animations": ["walk"], "fps": 4}),
            ("keys", {"path": "knight.pchr", "animations": ["walk"]}),
            ("diff", {"a": "knight.pchr", "b": "knight.pchr"}),
            ("convert", {"path": "knight.pchr", "output": "knight.json", "to": "spine42"}),
            ("test", {"path": ".", "results": "results", "only": ["knight.pchr"]}),
        ]
        assert sorted(tool.name for tool in tools) == sorted(name for name, _ in calls), tools
        for name, arguments in calls:
            result = await session.call_tool(name, arguments)
            assert not failed(result), (name, result)
            if name in ("render", "contact_sheet"):
                picture = next(part for part in result.content if part.type == "image")
                assert base64.b64decode(picture.data).startswith(b"\x89PNG")
        refused = await session.call_tool("inspect", {"path": "../private/knight.pchr"})
        assert failed(refused), refused
        print(f"{len(tools)} tools, {len(calls)} calls")


def failed(result) -> bool:
    """The name of the field depends on the version of the SDK."""
    return getattr(result, "is_error", None) or getattr(result, "isError", None) or False


asyncio.run(main(sys.argv[1]))
