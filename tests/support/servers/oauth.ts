import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { db } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createMailOAuth } from '#lib/providers/mail-oauth/driver'
import type { MailOAuth } from '#lib/providers/mail-oauth/port'
import { GOOGLE, microsoft, type VendorSettings } from '#lib/providers/mail-oauth/vendors'
import { authorizeMailbox, completeMailboxOAuth } from '#lib/services/senders/grants/connect'

const TENANT = '11111111-2222-3333-4444-555555555555'
const CLIENT = { client_id: 'client-of-ours', client_secret: 'secret-of-ours' }

type Play = { status?: number; body?: object; drop?: boolean }

type Options = {
  vendor?: 'google' | 'microsoft'
  address?: string
  subject?: string
  /** The scopes that the user grants; absent: all. */
  scope?: string
  /** Issues a new refresh token at each refresh, as Microsoft does; Google does not. */
  rotates?: boolean
  /** Asked at each call of the token endpoint; undefined: no fault. */
  play?: (form: URLSearchParams) => Play | undefined
}

/** The authorization server of a vendor on loopback: code flow with PKCE, refresh, rotation, revocation, refusals. */
export async function anOAuthServer(options: Options = {}) {
  const {
    vendor = 'google',
    address = 'ana@company.test',
    subject = 'ana-1',
    rotates = vendor === 'microsoft',
  } = options
  const codes = new Map<string, { challenge: string; nonce: string; redirect_uri: string }>()
  const calls = { code: 0, refresh: 0, revoked: [] as string[] }
  const live = { access: new Set<string>(), refresh: new Set<string>() }
  let issued = 0

  const issue = (withRefresh: boolean) => {
    issued += 1
    const [access_token, refresh_token] = [
      `access-${issued}-${randomUUID()}`,
      `refresh-${issued}-${randomUUID()}`,
    ]
    live.access.add(access_token)
    if (withRefresh) live.refresh.add(refresh_token)
    return { access_token, token_type: 'Bearer', expires_in: 3_600, ...(withRefresh && { refresh_token }) }
  }

  const idToken = (nonce: string) =>
    new SignJWT({
      nonce,
      email: address,
      name: 'Ana Silva',
      ...(vendor === 'microsoft' && {
        tid: TENANT,
        oid: subject,
        iss: settings.endpoints.issuer.replace('{tenantid}', TENANT),
      }),
      ...(vendor === 'google' && { iss: settings.endpoints.issuer }),
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(subject)
      .setAudience(CLIENT.client_id)
      .setExpirationTime('5m')
      .sign(Buffer.from('the signature is not looked at, as TLS stands for it'))

  async function token(form: URLSearchParams): Promise<Play> {
    const scripted = options.play?.(form)
    if (form.get('grant_type') === 'refresh_token') {
      calls.refresh += 1
      if (scripted) return scripted
      if (!live.refresh.has(form.get('refresh_token') ?? '')) return invalid
      return { body: issue(rotates) }
    }
    calls.code += 1
    if (scripted) return scripted
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood = code?.challenge === challenge && code.redirect_uri === form.get('redirect_uri')
    if (!code || !isGood || form.get('client_secret') !== CLIENT.client_secret) return invalid
    const scope = options.scope ?? [...settings.needed_scopes, 'openid'].join(' ')
    return { body: { ...issue(true), scope, id_token: await idToken(code.nonce) } }
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', url)
    const form = await readForm(request)
    if (pathname === '/revoke') {
      calls.revoked.push(form.get('token') ?? '')
      live.refresh.delete(form.get('token') ?? '')
      return void response.end()
    }
    const { status = 200, body = {}, drop } = await token(form)
    if (drop) return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = vendor === 'google' ? GOOGLE : microsoft('common', 'global')
  const settings: VendorSettings = {
    ...real,
    endpoints: {
      issuer: real.endpoints.issuer,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      ...(real.endpoints.revocation_endpoint && { revocation_endpoint: `${url}/revoke` }),
    },
  }
  const oauth = createMailOAuth(settings, CLIENT, { allow_http: true })

  /** The user signs in and consents: returns the query that the vendor adds to the redirect address. */
  function allow(authorizeUrl: string): string {
    const query = new URL(authorizeUrl).searchParams
    const code = randomUUID()
    codes.set(code, {
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
      redirect_uri: query.get('redirect_uri') ?? '',
    })
    return new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()
  }
  return {
    oauth,
    vendors: (): MailOAuth => oauth,
    calls,
    live,
    allow,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

const invalid: Play = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'Token has been revoked.' },
}

const readForm = async (request: IncomingMessage) =>
  new URLSearchParams(Buffer.concat(await request.toArray()).toString())

type Server = Awaited<ReturnType<typeof anOAuthServer>>
type Owner = { workspace_id: string; session_id?: string }

/** The whole flow in one browser: started, allowed at the vendor, and back. */
export async function connectedByOAuth(
  owner: Owner,
  server: Server,
  now: Date,
  mailbox_id: string | null = null,
) {
  const person = { session_id: randomUUID(), ...owner }
  const { vendor } = server.oauth
  const { url } = await authorizeMailbox(person, { vendor, mailbox_id }, now, server.vendors)
  return completeMailboxOAuth(person, { vendor, query: server.allow(url) }, now, server.vendors)
}

/** An OAuth grant of a mailbox whose tokens `server` knows. */
export async function aGrant(
  mailbox: { mailbox_id: string; workspace_id: string },
  server: Server,
  fields: { access_token?: string; access_expires_at?: Date } = {},
) {
  const { mailbox_id, workspace_id } = mailbox
  const refresh_token = `refresh-${randomUUID()}`
  server.live.refresh.add(refresh_token)
  const { access_token, access_expires_at = null } = fields
  if (access_token) server.live.access.add(access_token)
  await db.mailboxGrant.create({
    data: {
      mailbox_id,
      workspace_id,
      vendor: server.oauth.vendor,
      client_id: server.oauth.client_id,
      subject: 'ana-1',
      refresh_token: seal(refresh_token, mailbox_id),
      access_token: access_token ? seal(access_token, mailbox_id) : null,
      access_expires_at,
    },
  })
  return { refresh_token }
}
