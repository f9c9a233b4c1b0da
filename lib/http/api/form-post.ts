import { z } from 'zod'
import { MAX_FORM_BYTES } from '#lib/contracts/leads/forms'
import { AppError, invalid } from '#lib/errors'
import { errorResponse } from '#lib/http/envelope'
import { readForm, readText } from '#lib/http/parse'
import { readSender } from '#lib/http/peer'
import { ringQuietly } from '#lib/services/instance/bells'
import { admitsOrigin, type FormDoor, openForm, submitForm } from '#lib/services/leads/forms/submit'

const NEVER_KEPT = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' }
/** The page shown after a form was submitted, unless the owner of the form sets another. */
const SENT = '/forms/sent'
const NOT_SENT = '/forms/not-sent'

/** The same answer for every address, so that nobody learns which addresses are known. */
const TAKEN = { status: 'taken', message: 'If the address can receive email, it gets a link.' }

type Body = { fields: Record<string, unknown>; raw: string | null; isJson: boolean }

async function readBody(request: Request): Promise<Body> {
  const type = (request.headers.get('content-type') ?? '').toLowerCase()
  if (type.startsWith('multipart/form-data'))
    return { fields: await readForm(request, MAX_FORM_BYTES), raw: null, isJson: false }
  const raw = await readText(request, MAX_FORM_BYTES)
  if (raw === null)
    throw new AppError('body_too_large', { message: `The body is larger than ${MAX_FORM_BYTES} bytes.` })
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { fields: Object.fromEntries(new URLSearchParams(raw)), raw, isJson: false }
  return { fields: readObject(raw), raw, isJson: true }
}

const AnyObject = z.record(z.string(), z.unknown())

function readObject(raw: string): Record<string, unknown> {
  try {
    return AnyObject.parse(JSON.parse(raw))
  } catch {
    throw invalid(['body'], 'The body is not a JSON object.', 'json_invalid')
  }
}

/** CORS headers that let a page of an allowed site read the response. */
function sharedWith(form: FormDoor | null, origin: string | null): Record<string, string> {
  const vary = { Vary: 'Origin' }
  if (!form || origin === null || !admitsOrigin(form, origin)) return vary
  return { ...vary, 'Access-Control-Allow-Origin': origin, 'Cross-Origin-Resource-Policy': 'cross-origin' }
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries({ ...NEVER_KEPT, ...headers })) response.headers.set(name, value)
  return response
}

/** The CORS preflight that a browser sends before JSON from a page of another site. */
export async function answerPreflight(request: Request, token: string): Promise<Response> {
  const origin = request.headers.get('origin')
  try {
    const form = await openForm(token, readSender(request.headers), new Date())
    const shared = sharedWith(form, origin)
    const allowed = { 'Access-Control-Allow-Methods': 'POST', 'Access-Control-Allow-Headers': 'content-type' }
    const headers = 'Access-Control-Allow-Origin' in shared ? { ...shared, ...allowed } : shared
    return withHeaders(new Response(null, { status: 204 }), { ...headers, Allow: 'POST, OPTIONS' })
  } catch (error) {
    return withHeaders(errorResponse(error, { errors: 'flat' }, '/forms/[token]'), sharedWith(null, origin))
  }
}

/** One form submission, by a page or by a server. No response repeats the submitted values. */
export async function answerForm(request: Request, token: string): Promise<Response> {
  const { headers } = request
  const [now, place, origin] = [new Date(), readSender(headers), headers.get('origin')]
  const isPage = !(headers.get('content-type') ?? '').toLowerCase().startsWith('application/json')
  let form: FormDoor | null = null
  try {
    const opened = await openForm(token, place, now)
    form = opened
    const { fields, raw } = await readBody(request)
    const signature = {
      id: headers.get('webhook-id'),
      timestamp: headers.get('webhook-timestamp'),
      signatures: headers.get('webhook-signature'),
      body: raw,
    }
    await submitForm(opened, { origin, place, signature, fields }, now)
    await ringQuietly(now)
    const answer = isPage ? goTo(opened.redirect_url ?? SENT) : Response.json(TAKEN, { status: 202 })
    return withHeaders(answer, sharedWith(form, origin))
  } catch (error) {
    const refused = errorResponse(error, { errors: 'flat' }, '/forms/[token]')
    // A browser that submitted a page is redirected to a page instead of getting JSON.
    const answer = isPage && refused.status === 422 ? goTo(NOT_SENT) : refused
    return withHeaders(answer, sharedWith(form, origin))
  }
}

const goTo = (address: string) => new Response(null, { status: 303, headers: { Location: address } })
