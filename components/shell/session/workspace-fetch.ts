import { WORKSPACE_HEADER } from '#lib/contracts/live'

/**
 * What this page asks of its own origin is meant for the workspace that it shows, whichever another tab has chosen since: the
 * browser's session knows one only.
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
