'use client'

import { useEffect, useRef, useState } from 'react'
import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import { findMailProvider, MAIL_PROVIDERS, type MailProvider } from '#lib/domain/domains/mail-providers'

/** Fills in both servers of the form around it: by choice, or once the address says where it is. */
export function ProviderPicker() {
  const [chosen, setChosen] = useState<MailProvider | null>(null)
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const form = place.current?.closest('form')
    // The browser's own event: of an input it comes when what was typed is done.
    const chooseByAddress = (event: Event) => {
      if (!(event.target instanceof HTMLInputElement) || event.target.name !== 'address') return
      const known = findMailProvider(event.target.value)
      if (!known || !form || hasOwnServer(form)) return
      setChosen(known)
      fill(form, known)
    }
    form?.addEventListener('change', chooseByAddress)
    return () => form?.removeEventListener('change', chooseByAddress)
  }, [])

  return (
    <div ref={place}>
      <Field label="Provider" hint={chosen?.note ?? 'Fills in the servers below.'}>
        <Select
          placeholder="Another one"
          options={MAIL_PROVIDERS.map(({ name }) => ({ value: name, label: name }))}
          value={chosen?.name ?? ''}
          onChange={({ currentTarget: { value, form } }) => {
            const provider = MAIL_PROVIDERS.find(({ name }) => name === value)
            setChosen(provider ?? null)
            if (provider && form) fill(form, provider)
          }}
        />
      </Field>
    </div>
  )
}

/** Whether somebody typed a server by hand, which an address must not replace. */
function hasOwnServer(form: HTMLFormElement): boolean {
  const host = form.elements.namedItem('smtp.host')
  if (!(host instanceof HTMLInputElement) || host.value === '') return false
  return !MAIL_PROVIDERS.some(({ smtp }) => smtp.host === host.value)
}

function fill(form: HTMLFormElement, { smtp, imap }: MailProvider) {
  const set = (name: string, value: string | number) => {
    const control = form.elements.namedItem(name)
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement)
      control.value = String(value)
  }
  set('smtp.host', smtp.host)
  set('smtp.port', smtp.port)
  set('smtp.security', smtp.security)
  set('imap.host', imap?.host ?? '')
  if (!imap) return
  set('imap.port', imap.port)
  set('imap.security', imap.security)
}
