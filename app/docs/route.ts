import { contracts } from '#lib/contracts/all'
import { API_DESCRIPTION } from '#lib/http/api-description'
import { REFERENCE_POLICY } from '#lib/http/security'

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

const withCode = (markdown: string) => escaped(markdown).replace(/`([^`]+)`/g, '<code>$1</code>')

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
main { background: Canvas }
main > div { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem }
li { overflow-wrap: anywhere }
.lead { font-size: 1.125rem }
.coming { display: none }
@media (scripting: enabled) {
  main { position: fixed; inset: 0; z-index: 1; overflow: auto }
  main ~ #reference { visibility: hidden }
  .coming { display: inline }
}
`

// The list lies over the reference while that is put together behind it, and is taken away when it stands: nothing
// that is read moves meanwhile. Without scripts there is the list alone.
const page = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Opener</title>
<meta name="description" content="Every operation of this instance, to search and to try with your own key.">
<style>${STYLE}</style>
<script src="/reference.js" defer></script>
</head>
<body>
<main tabindex="0"><div>
<h1>API reference</h1>
<p class="lead">${withCode(API_DESCRIPTION)}</p>
<p>Whole, and for programs: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>. <span class="coming">Searching it and trying it out: in a moment.</span><noscript>Searching it and trying it out need JavaScript.</noscript></p>
${listOf()}
</div></main>
<div id="reference"></div>
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
