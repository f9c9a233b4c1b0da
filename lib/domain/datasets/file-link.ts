const LONGEST_NAME = 255

/** The URL of the file itself, for links that people copy from the page that shows it. */
export function toFileUrl(link: string): string {
  const url = new URL(link)
  const sheet = /^\/spreadsheets\/(?:u\/\d{1,2}\/)?d\/([\w-]+)(?:\/(?:edit|view|htmlview)?)?$/.exec(
    url.pathname,
  )?.[1]
  if (url.hostname === 'docs.google.com' && sheet) {
    const gid = url.searchParams.get('gid') ?? /gid=(\d+)/.exec(url.hash)?.[1]
    return `https://docs.google.com/spreadsheets/d/${sheet}/export?format=${gid ? `csv&gid=${gid}` : 'xlsx'}`
  }
  if (url.hostname === 'www.dropbox.com' && url.searchParams.get('dl') === '0')
    url.searchParams.set('dl', '1')
  url.hash = ''
  return url.href
}

/** The file's name as the server gives it, otherwise from the URL. */
export function fileName(url: string, disposition: string | null): string {
  const said = disposition && namedIn(disposition)
  const { hostname, pathname } = new URL(url)
  const last = decoded(pathname.slice(pathname.lastIndexOf('/') + 1))
  const name = (said || last || hostname).replaceAll('\0', '').toWellFormed()
  return name.slice(name.lastIndexOf('/') + 1).slice(0, LONGEST_NAME) || hostname
}

/** RFC 6266: the UTF-8 name takes precedence over the plain one. */
function namedIn(disposition: string): string | null {
  const extended = /filename\*=utf-8''([^;]{1,1000})/i.exec(disposition)?.[1]
  if (extended) return decoded(extended)
  return (
    /filename="([^"]{1,1000})"/i.exec(disposition)?.[1] ??
    /filename=([^;\s]{1,1000})/i.exec(disposition)?.[1] ??
    null
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the download is a web page instead of a file: often a sign-in page, or the one that shows the file. */
export const isWebPage = (bytes: Uint8Array): boolean =>
  /^(?:\uFEFF)?\s{0,100}<(?:!doctype html|html|head|script)\b/i.test(
    new TextDecoder().decode(bytes.subarray(0, 256)),
  )
