import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import { Toaster } from '#components/ui/overlays/toaster'
import { SHOW_SOON } from '#lib/http/security'
import { fontVariables } from './fonts.ts'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Opener', template: '%s · Opener' },
  description: 'Open, self-hostable outreach that sends each step at most once.',
  icons: '/icon.svg',
}

export const viewport: Viewport = { colorScheme: 'light dark', viewportFit: 'cover' }

/** The theme is read from a cookie, so the first paint is right without a script. */
export default async function RootLayout({ children }: LayoutProps<'/'>) {
  const theme = (await cookies()).get('theme')?.value
  return (
    <html
      lang="en"
      data-theme={theme === 'light' || theme === 'dark' ? theme : undefined}
      className={fontVariables}
    >
      <head>
        <script>{SHOW_SOON}</script>
      </head>
      <body>
        {children}
        <Toaster />
      </body>
    </html>
  )
}
