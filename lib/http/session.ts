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

/** Cookies know no ports, and two instances of one machine must not sign each other out: the port is in the name. */
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

/** What the cookie says. One that was altered, has run out or was sealed under another secret cannot be opened. */
async function readCookie() {
  const token = (await cookies()).get(sessionCookie().name)?.value
  const claims = token ? await decode({ token, secret: sessionSecret() }).catch(() => null) : null
  return claims?.sub && typeof claims.sid === 'string'
    ? { user_id: claims.sub, session_id: claims.sid }
    : null
}

export type SignedIn = Actor & { session_id: string }

/**
 * Of the page that asks, else the one chosen in the browser. A page of a workspace that they are no member of any more is left for
 * one of theirs; what was to be done from it is not done elsewhere.
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

const LEFT = 'This page is of a workspace that you are no member of. Nothing was changed. Reload the page.'

/** Who is signed in, read once per request; null where nobody is, or where the session or the account is gone. */
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
 * Every page, action and data function of the dashboard asks for itself: a layout's redirect stops no page. What it shows it
 * reads by services, not through the door of an operation: it names the operation whose role that takes, where it takes
 * another than to read campaigns does.
 */
export async function requireUser(shows: Judged = ListCampaigns): Promise<SignedIn> {
  const user = (await currentUser()) ?? redirect(await wayToSignIn())
  return roleRefusal(user.role, shows) ? redirect(isClient(user.role) ? '/results' : '/ask-admin') : user
}

/**
 * The same person in another workspace of theirs, which a signed link names and no page: a vendor sends the browser back to an
 * address of no workspace. `workspace_not_found` where they are no member of it any more.
 */
export async function actIn(user: SignedIn, workspaceId: string): Promise<SignedIn> {
  const { user_id } = user
  const place = { shown: workspaceId }
  return { ...user, ...(await findMembership({ user_id, last_workspace_id: null }, place)) }
}

/**
 * With the page that was asked for. An action is asked for by a page that somebody who was signed in has before them: the page
 * keeps what was typed in it, see components/shell/session-guard.tsx.
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

/** A JWT with which the signed-in user tries the API; it ends with the session. */
export async function tokenForMe(): Promise<string> {
  const { user_id, session_id } = await requireUser(ReadAccount)
  return issueToken(user_id, new Date(), session_id)
}

/** The address under which this instance is reached, without a slash at its end. */
export const appOrigin = (): string => new URL(env().APP_URL).origin

/** The network address that a request came from, as the nearest proxy (or Next itself) names it. */
export async function placeOfRequest(): Promise<string> {
  return readSender(await headers())
}

/** True where the browser runs on the machine itself. */
export async function isLocalRequest(): Promise<boolean> {
  const host = (await headers()).get('host') ?? ''
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host)
}

type Page = { path: string; workspace_id: string | null }

/** A page in the workspace that it is about; as it is where the browser is there, or they are no member of it. */
export async function pathIn(user: SignedIn, { path, workspace_id }: Page): Promise<string> {
  if (workspace_id === null || workspace_id === user.workspace_id) return path
  const memberships = await listMemberships(user.user_id)
  const slug = memberships.find((membership) => membership.workspace_id === workspace_id)?.slug
  return slug ? `/w/${slug}${path}` : path
}

/** The same for a browser of which nobody knows yet whether somebody is signed in. */
export async function pathOfBrowser(page: Page): Promise<string> {
  const user = await currentUser()
  return user ? pathIn(user, page) : page.path
}
