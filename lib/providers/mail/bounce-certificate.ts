import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** PEM: the certificate with its chain, and its private key. */
export type Certificate = { cert: string; key: string }
/** Where the two lie; whoever renews them writes them there. */
export type CertificateFiles = { cert: string; key: string }

/** Throws where a file is missing, or where the two do not belong together. */
export function readCertificate(files: CertificateFiles): Certificate {
  const certificate = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
  createSecureContext(certificate)
  return certificate
}

/**
 * A look at the files, to be taken now and then: hands on what is new, and true. One that is no good, such as a certificate
 * whose key is still to come, is for `onError`, and the last good one stays in use.
 */
export function renewal(
  files: CertificateFiles,
  first: Certificate,
  { use, onError }: { use: (certificate: Certificate) => void; onError: (error: Error) => void },
): () => boolean {
  let last = first
  return () => {
    try {
      const next = readCertificate(files)
      if (next.cert === last.cert && next.key === last.key) return false
      use(next)
      last = next
      return true
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
      return false
    }
  }
}
