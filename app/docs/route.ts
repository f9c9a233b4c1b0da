import { contracts } from '#lib/contracts/all'
import { REFERENCE_POLICY } from '#lib/http/security'

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Every operation in one line: what there is to read until the reference has loaded, and without scripts. */
function listOf(): string {
  const byTag = Object.groupBy(contracts, ({ tag }) => tag)
  return Object.entries(byTag)
    .map(([tag, operations = []]) => {
      const lines = operations.map(
        ({ method, path, summary }) =>
          `<li>${escaped(summary)} <code>${method} /api/v1${escaped(path)}</code></li>`,
      )
      return `<h2>${escaped(tag)}</h2>\n<ul>\n${lines.join('\n')}\n</ul>`
    })
    .join('\n')
}

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif }
#list { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem }
#list li { overflow-wrap: anywhere }
`

// The script takes the place of what stands in #reference.
const page = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Opener</title>
<meta name="description" content="Every operation of this instance, to search and to try with your own key.">
<style>${STYLE}</style>
<script src="/vendor/scalar.js" defer></script>
<script src="/reference.js" defer></script>
</head>
<body>
<div id="reference"><main id="list">
<h1>API reference</h1>
<p>Whole, and for programs: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>. Searching it and trying it out need JavaScript.</p>
${listOf()}
</main></div>
</body>
</html>
`

let written: string | undefined

/** The API reference. No page of Next's: it is one script, which scripts/vendor.mjs copies out of its package. */
export function GET() {
  written ??= page()
  return new Response(written, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': REFERENCE_POLICY },
  })
}
