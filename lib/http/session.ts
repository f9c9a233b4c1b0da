import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { decode } from 'next-auth/jwt'
import { cache } from 'react'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { SCOPES } from '#lib/contracts/contract'
import { WORKSPACE_HEADER } from '#lib/contracts/live'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { isClient, type Judged, roleRefusal } from '#lib/contracts/workspaces/roles'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { readSender } from '#lib/http/peer'
import { PATH_HEADER, signInPath } from '#lib/http/session-path'
import type { Actor } from '#lib/operations/operation'
import { findMembership, listMemberships } from '#lib/services/workspaces/memberships'
import { closeSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'

export const SESSION_SECONDS = 30 * 24 * 3600

/** The port is part of the cookie's name: cookies ignore ports, and two instances on one machine must not sign each other out. */
export function cookieNamed(what: 'session' | 'pending' | 'linking' | 'device') {
  const { protocol, port } = new URL(env().APP_URL)
  const secure = protocol === 'https:'
  const name = `${secure ? '__Host-' : ''}opener${port && `-${port}`}.${what}`
  return { name, options: { httpOnly: true, sameSite: 'lax', path: '/', secure } } as const
}

export const sessionCookie = () => cookieNamed('session')

export function sessionSecret(): string {
  const secret = env().NEXTAUTH_SECRET
  if (!secret) throw new Error('NEXTAUTH_SECRET is not set: nobody can sign in without it.')
  return secret
}

export async function endSession(): Promise<void> {
  const claims = await readCookie()
  if (claims) await closeSession(claims.user_id, claims.session_id, new Date())
  const { name, options } = sessionCookie()
  ;(await cookies()).set(name, '', { ...options, maxAge: 0 })
}

/** The content of the session cookie; null if it was altered, has expired or was sealed under another secret. */
async function readCookie() {
  const token = (await cookies()).get(sessionCookie().name)?.value
  const claims = token ? await decode({ token, secret: sessionSecret() }).catch(() => null) : null
  return claims?.sub && typeof claims.sid === 'string'
    ? { user_id: claims.sub, session_id: claims.sid }
    : null
}

export type SignedIn = Actor & { session_id: string }

/**
 * The workspace of the requesting page, else the one chosen in the browser. A page of a workspace that the user has left falls back
 * to one of theirs; an action sent from such a page is refused instead, so that it never runs in another workspace.
 */
async function membershipHere(user: NonNullable<Awaited<ReturnType<typeof userOfSession>>>) {
  const asked = await headers()
  const place = { chosen: user.chosen_workspace_id }
  const shown = asked.get(WORKSPACE_HEADER)
  try {
    return await findMembership(user, { ...place, shown })
  } catch (error) {
    if (shown === null || !(error instanceof AppError)) throw error
    if (asked.has('next-action')) throw new AppError('workspace_not_found', { message: LEFT })
  }
  const { workspace_id } = await findMembership(user, place)
  const other = (await listMemberships(user.user_id)).find((one) => one.workspace_id === workspace_id)
  redirect(`/w/${other?.slug}${asked.get(PATH_HEADER) ?? '/home'}`)
}

const LEFT = 'You are not a member of this page’s workspace. Nothing was changed. Reload the page.'

/** The signed-in user, read once per request; null without a session, or if the session or the account is gone. */
export const currentUser = cache(async (): Promise<SignedIn | null> => {
  const claims = await readCookie()
  const user = claims && (await userOfSession(claims.user_id, claims.session_id, new Date()))
  if (!user) return null
  const { user_id, email, name, created_at } = user
  const membership = await membershipHere(user)
  const { session_id } = claims
  return { user_id, email, name, ...membership, created_at, session_id, credential: 'jwt', scopes: SCOPES }
})

/**
 * Every page, action and data function of the dashboard calls this itself, because a redirect in a layout does not stop its pages.
 * Pages read through services rather than operations, so a page names the operation whose role it requires, unless reading
 * campaigns is enough.
 */
export async function requireUser(shows: Judged = ListCampaigns): Promise<SignedIn> {
  const user = (await currentUser()) ?? redirect(await wayToSignIn())
  return roleRefusal(user.role, shows) ? redirect(isClient(user.role) ? '/results' : '/ask-admin') : user
}

/**
 * The same user in the workspace that a signed link names: a vendor sends the browser back to an address without a workspace.
 * `workspace_not_found` if they are no longer a member of it.
 */
export async function actIn(user: SignedIn, workspaceId: string): Promise<SignedIn> {
  const { user_id } = user
  const place = { shown: workspaceId }
  return { ...user, ...(await findMembership({ user_id, last_workspace_id: null }, place)) }
}

/**
 * Redirects to sign-in, with the requested page. An action comes from a page that is still open in a browser whose session ended:
 * that page keeps what was typed, see components/shell/session-guard.tsx.
 */
async function wayToSignIn(): Promise<string> {
  const asked = await headers()
  const isAction = asked.has('next-action')
  const from = isAction ? parsePath(asked.get('referer')) : asked.get(PATH_HEADER)
  const hadSession = (await cookies()).has(sessionCookie().name)
  return signInPath(from, isAction || hadSession)
}

function parsePath(url: string | null): string | null {
  if (!url || !URL.canParse(url)) return null
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

/** A JWT for trying out the API as the signed-in user; it ends with the session. */
export async function tokenForMe(): Promise<string> {
  const { user_id, session_id } = await requireUser(ReadAccount)
  return issueToken(user_id, new Date(), session_id)
}

/** The public address of this instance, without a trailing slash. */
export const appOrigin = (): string => new URL(env().APP_URL).origin

/** The client's network address, as named by the nearest proxy or by Next. */
export async function placeOfRequest(): Promise<string> {
  return readSender(await headers())
}

/** True if the browser runs on this machine. */
export async function isLocalRequest(): Promise<boolean> {
  const host = (await headers()).get('host') ?? ''
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host)
}

type Page = { path: string; workspace_id: string | null }

/** The page's path with its workspace in it; unchanged if the browser is there already, or the user is not a member. */
export async function pathIn(user: SignedIn, { path, workspace_id }: Page): Promise<string> {
  if (workspace_id === null || workspace_id === user.workspace_id) return path
  const memberships = await listMemberships(user.user_id)
  const slug = memberships.find((membership) => membership.workspace_id === workspace_id)?.slug
  return slug ? `/w/${slug}${path}` : path
}

/** The same for a browser that may not be signed in. */
export async function pathOfBrowser(page: Page): Promise<string> {
  const user = await currentUser()
  return user ? pathIn(user, page) : page.path
}
