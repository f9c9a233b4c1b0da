import type { Tool } from '@modelcontextprotocol/server'
import type { Contract } from '#lib/contracts/contract'
import { inputJsonSchema } from '#lib/contracts/json-schema'
import { FILE_ARGUMENT } from '#lib/http/mcp/files'

type Json = { [key: string]: unknown }
type Part = 'params' | 'query' | 'body'
type Schema = { properties: Record<string, Json>; required: string[]; $defs: Json }

/** A tool, the request part each of its arguments belongs to, and its required file. */
export type Described = {
  tool: Tool
  places: ReadonlyMap<string, Part>
  files: ReadonlySet<string>
  neededFile: string | null
}

/** Tools that send first show what they would do, and act when called again with this token. */
export const CONFIRMATION = 'confirmation_token'
export const needsConfirmation = ({ scope }: Contract) => scope === 'send'
/** Some tools ask only when it matters, such as changing a campaign that is launched. */
const mayAsk = (contract: Contract) => needsConfirmation(contract) || contract.dry_run !== undefined
const isReadOnly = ({ method, scope }: Contract) => method === 'GET' || scope === 'read' || scope === null

function partSchema(contract: Contract, part: Part): Schema {
  const schema = contract[part] ? inputJsonSchema(contract[part]) : {}
  const { properties, required = [], $defs = {} } = schema as Partial<Schema>
  // A body that is no plain object travels whole, under its own name.
  if (contract[part] && !properties) return { properties: { [part]: schema }, required: [part], $defs: $defs }
  return { properties: properties ?? {}, required, $defs }
}

/** A file argument is described as what a conversation can carry, and is never required, since it may come by an upload. */
function withFiles(contract: Contract, body: Schema) {
  const isFile = (name: string) => body.properties[name]?.format === 'binary'
  const files = contract.body_type === 'multipart' ? Object.keys(body.properties).filter(isFile) : []
  const properties = { ...body.properties, ...Object.fromEntries(files.map((name) => [name, FILE_ARGUMENT])) }
  const required = body.required.filter((name) => !files.includes(name))
  const neededFile = files.find((name) => body.required.includes(name)) ?? null
  return { body: { ...body, properties, required }, files: new Set(files), neededFile }
}

function toolDescription(contract: Contract): string {
  const parts = [`${contract.summary}.`, contract.description]
  if (mayAsk(contract))
    parts.push(
      `${needsConfirmation(contract) ? 'Nothing' : 'Of a launched campaign nothing'} is done by the first call: it shows what would happen and gives a ${CONFIRMATION}. Call again with the same arguments and the token once the user agrees.`,
    )
  return parts.filter(Boolean).join(' ')
}

/** The tool of an operation: the arguments of path, query and body side by side. */
export function describeTool(contract: Contract): Described {
  const { body, files, neededFile } = withFiles(contract, partSchema(contract, 'body'))
  const parts = { params: partSchema(contract, 'params'), query: partSchema(contract, 'query'), body }
  const places = new Map<string, Part>()
  for (const part of ['params', 'query', 'body'] as const)
    for (const name of Object.keys(parts[part].properties)) {
      if (places.has(name)) throw new Error(`${contract.id} takes ${name} in two places`)
      places.set(name, part)
    }
  const { params, query } = parts
  const confirmation = {
    type: 'string',
    description: 'From the first call of this tool with these arguments.',
  }
  const $defs = { ...params.$defs, ...query.$defs, ...body.$defs }
  const tool: Tool = {
    name: contract.id,
    title: contract.summary,
    description: toolDescription(contract),
    inputSchema: {
      type: 'object',
      properties: {
        ...params.properties,
        ...query.properties,
        ...body.properties,
        ...(mayAsk(contract) ? { [CONFIRMATION]: confirmation } : {}),
      } as Tool['inputSchema']['properties'],
      required: [...params.required, ...query.required, ...body.required],
      additionalProperties: false,
      ...(Object.keys($defs).length > 0 ? { $defs } : {}),
    },
    annotations: {
      title: contract.summary,
      readOnlyHint: isReadOnly(contract),
      destructiveHint: !isReadOnly(contract) && contract.destructive === true,
      idempotentHint: isReadOnly(contract) || contract.method !== 'POST',
      openWorldHint: contract.scope === 'send',
    },
  }
  return { tool, places, files, neededFile }
}
