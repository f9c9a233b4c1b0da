type Address = { method: string; url: string; headers: Record<string, string> }

/**
 * Whoever came by another name of this instance is still at the same door; pages send to their own origin alone. A storage's
 * address has its signature in the query, whatever its path, such as that of a bucket called `files`.
 */
function addressFromHere(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname.startsWith('/files/uploads/') && search === '' ? pathname : url
}

/** Sends a file to its address, and tells the percentage that has left; false where it did not arrive. */
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
