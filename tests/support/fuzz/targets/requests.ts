import { contracts } from '#lib/contracts/all'
import { parseOrdered } from '#lib/domain/text/ordered-json'
import { AppError, ValidationError } from '#lib/errors'
import { parseInput, readForm, readJson } from '#lib/http/parse'
import {
  headerText,
  joined,
  promise,
  promiseCleanPrototypes,
  type Target,
  textsOf,
  unlessRefused,
} from '#tests/support/fuzz/target'
import { hostileWords } from '#tests/support/fuzz/targets/json-words'

const LIMIT = 64 * 1024
const request = (body: Uint8Array<ArrayBuffer>, type: string) =>
  new Request('http://opener.test/', { method: 'POST', body, headers: { 'content-type': type } })

/** The body of any operation, as the contract's parser reads it: an input, or a list of errors. */
export const json: Target = {
  name: 'json',
  max: LIMIT,
  seeds: () => [
    ...contracts.map(({ id }) => joined(id, '{}', 'limit=1&cursor=x', 'a')),
    joined(
      'createCampaign',
      '{"name":"C","campaign_type":"email","steps_config":[{"step_number":1,"wait_days":0,"template_id":"x"}],"timezone":"Europe/Berlin"}',
      '',
      '',
    ),
    joined(
      'createTemplate',
      '{"name":"T","subject":"Hi {{ first_name }}","body":"<p>x</p>"}',
      'dry_run=true',
      '',
    ),
  ],
  words: hostileWords,
  async run(input) {
    const [id = '', body = '', query = '', param = ''] = textsOf(input, 4)
    const contract = contracts.find((one) => one.id === id) ?? contracts[id.length % contracts.length]
    const raw = new TextEncoder().encode(body)
    const said = await unlessRefused(
      () => readJson(request(raw, 'application/json'), LIMIT),
      AppError,
      ValidationError,
    )
    promiseSameReading(body)
    await unlessRefused(
      () => readForm(request(raw, headerText(body.split('\n', 1)[0] ?? '')), LIMIT),
      AppError,
      ValidationError,
    )
    promise(contract !== undefined, 'there are contracts')
    const params = Object.fromEntries(
      [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, param]),
    )
    const asked = Object.fromEntries(new URLSearchParams(query))
    await unlessRefused(() => parseInput(contract, { params, query: asked, body: said }), ValidationError)
    promiseCleanPrototypes()
  },
}

/** The parser that keeps the order of keys accepts and refuses exactly what JSON.parse does. */
function promiseSameReading(body: string): void {
  // For bodies nested deeper than allowed, both parsers may overflow the stack.
  if (body.split(/[[{]/, 101).length > 100) return
  const [one, other] = [JSON.parse, parseOrdered].map((read) => {
    try {
      return JSON.stringify(sorted(read(body)))
    } catch {
      return 'refused'
    }
  })
  promise(one === other, `JSON is read alike: ${one?.slice(0, 200)} and ${other?.slice(0, 200)}`)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([name, inner]) => [name, sorted(inner)])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}
