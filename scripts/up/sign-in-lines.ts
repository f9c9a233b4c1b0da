/** How one gets into an instance that has started. */
export type WayIn = {
  /** The demo account, where it opens with the password that everybody knows. */
  demo: { email: string; password: string } | null
  /** Where the first account is made, if there is none. */
  link: { url: string; expires_at: Date | string } | null
}

/** What the terminal says of it. */
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
