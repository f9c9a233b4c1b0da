import { readError } from '#lib/client/error'
import { buildBody, buildUrl, type Given } from '#lib/client/request'
import { type Chance, waitFor, withRetries } from '#lib/client/retry'
import type { Client } from '#lib/client/types'
import { contracts } from '#lib/contracts/all'
import type { Contract } from '#lib/contracts/contract'

type Settings = {
  /** The address of the instance, without /api/v1. */
  base_url: string
  /** An API key or a JWT. A function is called before each attempt, so that a JWT can be renewed. */
  token: string | (() => string | Promise<string>)
  fetch?: typeof fetch
} & Partial<Chance>

type Asked = Given & { signal?: AbortSignal; find?: () => Promise<unknown> }

const nothingToFind = async () => null
/** Repeating a read is harmless, whatever its HTTP method. */
const isRead = ({ method, scope }: Contract) => method === 'GET' || scope === 'read'

/**
 * The API as typed methods: `createClient({base_url, token}).listCampaigns({query: {page: 2}})`. Works in any runtime with
 * `fetch`. Throws `ApiError` for a refusal, and whatever `fetch` throws for a network failure.
 */
export function createClient(settings: Settings): Client {
  const methods = contracts.map((contract) => [
    contract.id,
    (asked: Asked = {}) => ask(settings, contract, asked),
  ])
  // One method per contract, each with its own type, which `fromEntries` cannot express.
  return Object.fromEntries(methods) as Client
}

async function ask(settings: Settings, contract: Contract, asked: Asked): Promise<unknown> {
  const { random = Math.random, wait = waitFor } = settings
  const send = async () =>
    (settings.fetch ?? fetch)(buildUrl(contract, settings.base_url, asked), await init())
  const init = async (): Promise<RequestInit> => {
    const { body, type } = buildBody(contract, asked.body)
    const token = typeof settings.token === 'string' ? settings.token : await settings.token()
    return {
      method: contract.method,
      headers: { authorization: `Bearer ${token}`, ...(type ? { 'content-type': type } : {}) },
      ...(body === undefined ? {} : { body }),
      ...(asked.signal ? { signal: asked.signal } : {}),
    }
  }
  const find = asked.find ?? (isRead(contract) ? nothingToFind : undefined)
  const outcome = await withRetries({ send, find, signal: asked.signal }, { random, wait })
  if ('earlier' in outcome) return outcome.earlier
  if (!outcome.response.ok) throw await readError(outcome.response)
  return readAnswer(contract, outcome.response)
}

function readAnswer(contract: Contract, response: Response): Promise<unknown> | Response | null {
  if (!contract.response) return null
  if (contract.stream) return response
  return contract.file ? response.blob() : response.json()
}
