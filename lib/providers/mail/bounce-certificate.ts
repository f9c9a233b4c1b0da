import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** PEM: the certificate with its chain, and its private key. */
export type Certificate = { cert: string; key: string }
/** The paths of the two files; whatever renews the certificate writes them there. */
export type CertificateFiles = { cert: string; key: string }

/** Throws if a file is missing, or if the two do not belong together. */
export function readCertificate(files: CertificateFiles): Certificate {
  const certificate = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
  createSecureContext(certificate)
  return certificate
}

/**
 * Returns a check to be run now and then: it passes on a new certificate and returns true. An invalid one, such as a certificate
 * whose key has not been written yet, goes to `onError`, and the last valid one stays in use.
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
