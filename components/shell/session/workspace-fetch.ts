import { WORKSPACE_HEADER } from '#lib/contracts/live'

/**
 * Adds the workspace that the page shows to requests to its own origin, since another tab may have switched
 * the session to another one.
 */
export function withWorkspace(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  workspaceId: string,
): RequestInit | undefined {
  const isRequest = input instanceof Request
  if (new URL(isRequest ? input.url : input, window.location.href).origin !== window.location.origin)
    return init
  const headers = new Headers(init?.headers ?? (isRequest ? input.headers : undefined))
  if (!headers.has(WORKSPACE_HEADER)) headers.set(WORKSPACE_HEADER, workspaceId)
  return { ...init, headers }
}
