import { clsx } from 'clsx'
import type { MailView } from './mail-views.tsx'

/** Adds the defaults of mail programs for emails that set no font, margin or dark background. */
function shownDocument(html: string, isDark: boolean): string {
  const head = `<meta name="color-scheme" content="${isDark ? 'dark' : 'light'}"><base target="_blank">`
  const body = '<body style="font:14px/1.5 Arial,Helvetica,sans-serif;margin:16px;overflow-wrap:anywhere">'
  const whole = /<body[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`
  const styled = whole.replace(/<body>/i, body)
  return /<head>/i.test(styled) ? styled.replace(/<head>/i, `<head>${head}`) : head + styled
}

/** The HTML part as delivered, in a frame without scripts, forms or our origin. */
export function MailFrame({ html, view }: { html: string; view: Exclude<MailView, 'plain'> }) {
  const isDark = view === 'dark'
  return (
    <iframe
      title={`HTML part, ${view}`}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={shownDocument(html, isDark)}
      className={clsx(
        'h-[26rem] rounded-sm border border-border',
        view === 'phone' ? 'mx-auto w-full max-w-[22.5rem]' : 'w-full',
        isDark ? 'bg-[black] [color-scheme:dark]' : 'bg-[white] [color-scheme:light]',
      )}
    />
  )
}
