export type Query = Record<string, string | string[] | number | undefined>

/**
 * The same page with a changed query; `undefined` and '' remove a key, and changing a filter returns to page
 * 1.
 */
export function queryHref(path: string, query: Query, changes: Query): string {
  const next = new URLSearchParams()
  const merged = { ...query, ...('page' in changes ? {} : { page: undefined }), ...changes }
  for (const [key, value] of Object.entries(merged)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') next.append(key, String(one))
    }
  }
  const text = next.toString()
  return text ? `${path}?${text}` : path
}
