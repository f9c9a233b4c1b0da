import type { Mailbox } from '#lib/contracts/senders/mailboxes'

type Server = Pick<Mailbox['smtp'], 'host' | 'port' | 'security'>

/** What is known of where an address sends and receives. */
export type Found = {
  found_by: 'domain' | 'mx' | 'srv' | null
  provider: string | null
  note: string | null
  smtp: Server | null
  imap: Server | null
}

const findControl = (form: HTMLFormElement, name: string) => {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : null
}

/** Whether somebody typed a server by hand, which an address must not replace. */
export function hasOwnServer(form: HTMLFormElement, found: Found | null): boolean {
  const host = findControl(form, 'smtp.host')?.value ?? ''
  return host !== '' && host !== found?.smtp?.host
}

/** Writes both servers into the form; of one that is not there it clears the host. */
export function fillServers(form: HTMLFormElement, { smtp, imap }: Found): void {
  for (const [prefix, server] of Object.entries({ smtp, imap })) {
    const set = (name: string, value: string) => {
      const control = findControl(form, `${prefix}.${name}`)
      if (control) control.value = value
    }
    set('host', server?.host ?? '')
    if (!server) continue
    set('port', String(server.port))
    set('security', server.security)
  }
}
