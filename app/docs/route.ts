import { REFERENCE_POLICY } from '#lib/http/security'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Opener</title>
<meta name="description" content="Every operation of this instance, to search and to try with your own key.">
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>
<script src="/vendor/scalar.js"></script>
<script src="/reference.js"></script>
</body>
</html>
`

/** The API reference. No page of Next's: it is one script, which scripts/vendor.mjs copies out of its package. */
export const GET = () =>
  new Response(PAGE, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': REFERENCE_POLICY },
  })
