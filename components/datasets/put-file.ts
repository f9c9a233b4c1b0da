type Address = { method: string; url: string; headers: Record<string, string> }

/**
 * Rewrites an upload address to the current origin if it points to this instance under another name, since
 * pages may send to their own origin only. A storage's address carries a signature in its query, whatever its
 * path, such as a bucket called `files`.
 */
function addressFromHere(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname.startsWith('/files/uploads/') && search === '' ? pathname : url
}

/** Uploads a file and reports the percentage sent; false if it failed. */
export function putFile(
  file: File,
  address: Address,
  onProgress: (percent: number) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(address.method, addressFromHere(address.url))
    for (const [name, value] of Object.entries(address.headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress((100 * loaded) / Math.max(1, total))
    request.onload = () => resolve(request.status >= 200 && request.status < 300)
    request.onerror = () => resolve(false)
    request.send(file)
  })
}
