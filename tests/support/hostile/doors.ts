import { createHmac, randomUUID } from 'node:crypto'
import { deliverRaw } from '#lib/providers/mail/deliver'
import { sandboxCredentials } from '#lib/providers/mail/sandbox-credentials'

export type Answer = { status: number; text(): Promise<string> }
type Door = (text: string) => Promise<Answer>
/** The user whose token sends the requests, with the ids of the rows that they own. */
type Stranger = { url: string; token: string; email: string; ids: Record<string, string> }

const utf8 = (text: string) => new TextEncoder().encode(text)

export function uploaded(
  { url, token }: Pick<Stranger, 'url' | 'token'>,
  at: string,
  file: File,
): Promise<Response> {
  const form = new FormData()
  form.set('file', file)
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${url}/api/v1${at}`, { method: 'POST', headers, body: form })
}

/** Entry points for untrusted text that are no API operation, and operations that take several requests or files. */
export function doorsFor(stranger: Stranger): Record<string, Door> {
  const { url, token, ids } = stranger
  const asked = (method: string, at: string, body: unknown) =>
    fetch(`${url}${at}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const call = (method: string, params: unknown) =>
    asked('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params })
  const api = '/api/v1'
  return {
    'updateCampaign, text of a step': (text) =>
      asked('PATCH', `${api}/campaigns/${ids.draft}`, {
        steps_config: [{ subject: 's', message_template: text.slice(0, 100_000) }],
      }),
    'launch checks of that text': () =>
      asked('GET', `${api}/campaigns/${ids.draft}/launch-checks`, undefined),
    'addSuppressions, one value': (text) =>
      asked('POST', `${api}/suppressions`, { values: [`${text.slice(0, 200)}@example.com`] }),
    'addSuppressions, ten thousand': (text) =>
      asked('POST', `${api}/suppressions`, {
        values: Array.from({ length: 10_000 }, (_, at) => `${text.slice(0, 40)}${at}@example.com`),
      }),
    'a file put at its address, previewed': async (text) => {
      const made = await asked('POST', `${api}/uploads`, { filename: 'x.csv', size_bytes: utf8(text).length })
      if (!made.ok) return made
      const upload = (await made.json()) as { upload_id: string; url: string; headers: HeadersInit }
      const put = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: utf8(text) })
      if (!put.ok) return put
      const preview = await asked('POST', `${api}/uploads/${upload.upload_id}/preview`, undefined)
      return preview.ok ? asked('POST', `${api}/uploads/${upload.upload_id}/import`, {}) : preview
    },
    'a file put at an address of nobody': (text) =>
      fetch(`${url}/files/uploads/${encodeURIComponent(text.slice(0, 4_000))}`, {
        method: 'PUT',
        body: text,
      }),
    'a file by its link': (text) => fetch(`${url}/files/${encodeURIComponent(text.slice(0, 4_000))}`),
    'a logo by its address': (text) =>
      fetch(`${url}/files/logos/${crypto.randomUUID()}/${encodeURIComponent(text.slice(0, 4_000))}`),
    'an image of a message by its address': (text) =>
      fetch(`${url}/files/images/${crypto.randomUUID()}/${encodeURIComponent(text.slice(0, 4_000))}`),
    'a file by an address of MCP': (text) =>
      fetch(`${url}/mcp/uploads/${encodeURIComponent(text.slice(0, 4_000))}`, { method: 'POST', body: text }),
    'a signal of opening': (text) => fetch(`${url}/t/o/${encodeURIComponent(text.slice(0, 4_000))}.gif`),
    'the end of connecting an account': (text) =>
      fetch(`${url}/connected-accounts/callback?${new URLSearchParams({ state: text.slice(0, 4_000) })}`, {
        redirect: 'manual',
      }),
    'a sign-in by a provider': (text) =>
      fetch(`${url}/api/auth/callback/oidc?${new URLSearchParams({ code: text.slice(0, 4_000) })}`, {
        redirect: 'manual',
      }),
    'events of the engine': (text) =>
      fetch(`${url}/api/inngest?fnId=${encodeURIComponent(text.slice(0, 2_000))}&stepId=step`, {
        method: 'POST',
        body: text,
      }),
    'a method by MCP': (text) => call(text, { name: text }),
    'a tool by MCP': (text) => call('tools/call', { name: 'search', arguments: { q: text } }),
    'a file by MCP': (text) =>
      call('tools/call', {
        name: 'previewSpreadsheet',
        arguments: { file: { filename: 'x.csv', content_base64: text } },
      }),
    'a tracked link': (text) => fetch(`${url}/t/c/${encodeURIComponent(text.slice(0, 4_000))}`),
    'an entry of a form': (text) =>
      fetch(`${url}/forms/${ids.form}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://www.meridian.example' },
        body: JSON.stringify({ email: text.slice(0, 200), first_name: text }),
      }),
    'the link that confirms an entry': (text) =>
      fetch(`${url}/forms/confirm/${encodeURIComponent(text.slice(0, 4_000))}/submit`, { method: 'POST' }),
    'an unsubscribe link': (text) =>
      fetch(`${url}/unsubscribe/${encodeURIComponent(text.slice(0, 4_000))}`, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      }),
    'a link that ends emails of analytics': (text) =>
      fetch(`${url}/analytics-email/${encodeURIComponent(text.slice(0, 4_000))}`, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      }),
    'a comment on unsubscribing': (text) =>
      fetch(`${url}/unsubscribe/${ids.unsubscribe}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ intent: 'unsubscribe', comment: text.slice(0, 4_000) }),
      }),
    'a credential': (text) =>
      fetch(`${url}${api}/auth/me`, { headers: { authorization: `Bearer ${btoa(text).slice(0, 8_000)}` } }),
    'an answer by mail': (text) =>
      asked('POST', `${api}/sandbox/messages/${ids.message}/answer`, {
        kind: 'reply',
        text: text.slice(0, 10_000),
      }),
    'a mail of HTML': (text) => mailed(stranger, 'text/html', text),
    'a mail with such a header': (text) =>
      mailed(stranger, 'text/plain', 'Hello', `X-Much: ${text.replaceAll('\n', '\r\n ')}\r\n`),
  }
}

/** Delivered to a mailbox of the sandbox, as any mail server would. */
async function mailed({ email, ids }: Stranger, type: string, text: string, head = ''): Promise<Answer> {
  const lines = text.replaceAll(/[^\n]{900}/g, '$&\r\n')
  const raw = `From: stranger@example.com\r\nTo: ${email}\r\nSubject: Re: a thought\r\nMessage-ID: <${randomUUID()}@example.com>\r\n${head}MIME-Version: 1.0\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${lines}\r\n`
  const { outcome } = await deliverRaw(
    Number(process.env.SANDBOX_SMTP_PORT),
    { from: 'stranger@example.com', to: email },
    raw,
    sandboxCredentials({ role: 'to', mailbox_id: ids.mailbox ?? '' }, process.env.ENCRYPTION_KEY ?? ''),
  )
  return new Response('', { status: outcome === 'accepted' ? 202 : 406 })
}

/** The webhooks of Unipile and Stripe with valid signatures: an unsigned body is not parsed. */
export function webhooksFor(url: string, account_id: string): Record<string, Door> {
  const { UNIPILE_WEBHOOK_SECRET: unipile, STRIPE_WEBHOOK_SECRET: stripe } = process.env
  const posted = (at: string, headers: HeadersInit, body: string) =>
    fetch(`${url}${at}`, { method: 'POST', headers, body })
  const message = (text: string) => ({
    event: 'message_received',
    account_id,
    chat_id: randomUUID(),
    message_id: randomUUID(),
    message: text,
    timestamp: new Date().toISOString(),
    sender: { attendee_provider_id: 'stranger', attendee_name: text.slice(0, 500) },
    attendees: [{ attendee_provider_id: 'stranger', attendee_name: 'x' }],
  })
  const signedForStripe = (body: string) => {
    const t = Math.floor(Date.now() / 1_000)
    const v1 = createHmac('sha256', stripe ?? '')
      .update(`${t}.${body}`)
      .digest('hex')
    return { 'stripe-signature': `t=${t},v1=${v1}` }
  }
  return {
    ...(unipile && {
      'social messages by webhook': (text: string) =>
        posted('/api/social/unipile', { 'unipile-auth': unipile }, JSON.stringify(message(text))),
      'social webhook, malformed': (text: string) =>
        posted('/api/social/unipile', { 'unipile-auth': unipile }, `{"event": ${text}`),
    }),
    'news of a mailbox at Google': (text: string) =>
      posted(
        '/api/mail/google',
        { authorization: `Bearer ${Buffer.from(text).toString('base64').slice(0, 4_000)}` },
        JSON.stringify({ message: { data: Buffer.from(text).toString('base64') } }),
      ),
    'news of a mailbox at Microsoft': (text: string) =>
      posted(
        '/api/mail/microsoft',
        {},
        JSON.stringify({
          value: [{ subscriptionId: 'x', clientState: text.slice(0, 128), lifecycleEvent: text }],
        }),
      ),
    ...(stripe && {
      'events of Stripe': (text: string) => {
        const object = { customer: text.slice(0, 200), text }
        const body = JSON.stringify({ object: 'event', type: text.slice(0, 200), data: { object } })
        return posted('/api/billing/stripe', signedForStripe(body), body)
      },
    }),
  }
}

/** Routes outside the API: which entry above covers each, or why none does. */
export const ROUTES: Record<string, string> = {
  'app/api/auth/[...nextauth]': 'a sign-in by a provider',
  'app/api/billing/stripe': 'events of Stripe',
  'app/api/inngest': 'events of the engine',
  'app/api/mail/google': 'news of a mailbox at Google',
  'app/api/mail/microsoft': 'news of a mailbox at Microsoft',
  'app/api/social/unipile': 'social messages by webhook',
  'app/mcp': 'a method by MCP',
  'app/mcp/uploads/[grant]': 'a file by an address of MCP',
  'app/(public)/connected-accounts/callback': 'the end of connecting an account',
  'app/(public)/files/[token]': 'a file by its link',
  'app/(public)/forms/[token]': 'an entry of a form',
  'app/(public)/forms/confirm/[token]/submit': 'the link that confirms an entry',
  'app/(public)/files/logos/[workspace_id]/[digest]': 'a logo by its address',
  'app/(public)/files/images/[workspace_id]/[file]': 'an image of a message by its address',
  'app/(public)/files/uploads/[token]': 'a file put at its address, previewed',
  'app/(public)/t/c/[token]': 'a tracked link',
  'app/(public)/t/o/[file]': 'a signal of opening',
  'app/(public)/analytics-email/[token]/submit': 'a link that ends emails of analytics',
  'app/(public)/unsubscribe/[token]/submit': 'an unsubscribe link',
  'app/.well-known/jwks.json': 'none: it reads nothing',
  'app/metrics': 'none: it reads a token and nothing else',
  'app/(dashboard)':
    'none: the cookie of a session is asked for first, and its operation is knocked at by the API',
}
