// The lower limit for a list endpoint: node:http and pg with the same SQL for key, rows and total, and nothing else.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'
import { LISTS, type ListName } from './list-queries.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const PAGE_SIZE = 20

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', 'http://bare')
  const [, name, id] = url.pathname.split('/')
  const key = request.headers.authorization?.slice(7) ?? ''
  const digest = createHash('sha256').update(key).digest('hex')
  const result = await pool.query(
    'SELECT k.*, u.* FROM api_keys k JOIN users u USING (user_id) WHERE key_digest = $1 AND revoked_at IS NULL',
    [digest],
  )
  const user = result.rows[0]
  const list = LISTS[name as ListName]
  if (!user || !list) return response.writeHead(401).end()
  const offset = (Number(url.searchParams.get('page') ?? 1) - 1) * PAGE_SIZE
  const [rows, total] = await Promise.all([
    pool.query(list.rows, list.values(user.workspace_id, id ?? '', offset, PAGE_SIZE)),
    pool.query(list.total, [user.workspace_id, ...(id ? [id] : [])]),
  ])
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ items: rows.rows, total: total.rows[0]?.total ?? 0 }))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' && address ? address.port : 0 }))
})
