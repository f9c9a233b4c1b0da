/** How to sign in to an instance that has started. */
export type WayIn = {
  /** The demo account, if its well-known password works. */
  demo: { email: string; password: string } | null
  /** The link to create the first account, if there is none yet. */
  link: { url: string; expires_at: Date | string } | null
}

/** The lines printed on the terminal. */
export function signInLines({ demo, link }: WayIn): string[] {
  if (demo) return [`  Sign in    ${demo.email} / ${demo.password}`]
  if (!link) return []
  const until = new Date(link.expires_at).toISOString().slice(0, 16).replace('T', ' ')
  return [
    '  Others can reach this instance, so there is no demo account. Create the first account here:',
    `  ${link.url}`,
    `  The link works once, until ${until} UTC; the next start prints another.`,
  ]
}
