import { CopyButton } from '#components/ui/copy-button'

/** The bytes passed to the mail server, without the DKIM signature computed from them. */
export function MailBytes({ raw }: { raw: string }) {
  return (
    <div className="relative">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label="Exact bytes of the email"
        className="max-h-[28rem] overflow-auto rounded-sm bg-sunken p-3 pr-10 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {raw}
      </section>
      <span className="absolute top-1 right-1">
        <CopyButton text={raw} label="Copy the bytes" />
      </span>
      <p className="mt-2 text-xs text-muted">
        {raw.length.toLocaleString('en')} bytes. A DKIM signature is added if the domain has a key.
      </p>
    </div>
  )
}
