import { parse } from 'libpg-query'

/** The columns of each table that holds rows of a workspace, or parts of such rows. */
export type Columns = Map<string, Set<string>>
type Node = Record<string, unknown>
/** An entry of a query's FROM: a table with a workspace's rows, or something else. */
type Relation = { table: string | null; isTied: boolean; joined: Set<string>; isGiven?: boolean }

const trees = new Map<string, ReturnType<typeof parse>>()
const parsed = (text: string) => {
  const tree = trees.get(text) ?? parse(text)
  trees.set(text, tree)
  return tree
}

/**
 * The tables that a statement reads or changes without restricting their rows to an owner; empty where all are tied. A table with a
 * workspace's rows is tied
 * - by `workspace_id = $n`, or by an id that did not come with the request, or that an earlier statement returned; each among the
 *   conditions that hold for every row (not below OR or NOT),
 * - or by an id that equals one of a list of such parameters (`unnest($1) …`),
 * - or by a column that equals one of a tied table, of an outer query, or of a subquery, each of which is judged by itself.
 */
export async function untied(
  text: string,
  columns: Columns,
  isKnown: (parameter: number) => boolean,
): Promise<string[]> {
  const found: string[] = []
  const { stmts = [] } = await parsed(text)
  for (const one of stmts) visit(one.stmt, new Set())
  return found

  function visit(value: unknown, ctes: Set<string>): void {
    if (Array.isArray(value)) for (const each of value) visit(each, ctes)
    if (!isNode(value)) return
    const named = new Set(ctes)
    for (const cte of list(child(value, 'withClause').ctes))
      named.add(String(child(cte, 'CommonTableExpr').ctename))
    const into = child(value, 'relation')
    if ('cols' in value && 'override' in value)
      judgeInsert(
        String(into.relname),
        list(value.cols).map((col) => child(col, 'ResTarget').name),
      )
    else if ('attlist' in value && value.is_from === true)
      judgeInsert(
        String(into.relname),
        list(value.attlist).map((name) => child(name, 'String').sval),
      )
    else if ('fromClause' in value) judge(list(value.fromClause), value.whereClause, named)
    else if (typeof into.relname === 'string' && !('cols' in value))
      judge(
        [{ RangeVar: into }, ...list(value.fromClause), ...list(value.usingClause)],
        value.whereClause,
        named,
      )
    for (const each of Object.values(value)) visit(each, named)
  }

  function judgeInsert(table: string, names: unknown[]): void {
    if (columns.get(table)?.has('workspace_id') && !names.includes('workspace_id'))
      found.push(`INSERT INTO ${table}`)
  }

  function isOwned(table: string): boolean {
    return columns.has(table)
  }

  function judge(from: Node[], where: unknown, ctes: Set<string>): void {
    const relations = new Map<string, Relation>()
    const conditions: unknown[] = [where]
    for (const item of from) collect(item, ctes, relations, conditions)
    for (const condition of conditions) tie(condition, relations)
    for (let grew = true; grew; ) {
      grew = false
      for (const one of relations.values())
        if (!one.isTied && [...one.joined].some((name) => relations.get(name)?.isTied))
          grew = one.isTied = true
    }
    for (const { table, isTied } of relations.values()) if (table && !isTied) found.push(table)
  }

  function collect(
    item: Node,
    ctes: Set<string>,
    relations: Map<string, Relation>,
    conditions: unknown[],
  ): void {
    if ('JoinExpr' in item) {
      const join = child(item, 'JoinExpr')
      const before = new Set(relations.keys())
      if (isNode(join.larg)) collect(join.larg, ctes, relations, conditions)
      const left = [...relations.keys()].filter((name) => !before.has(name))
      if (isNode(join.rarg)) collect(join.rarg, ctes, relations, conditions)
      conditions.push(join.quals)
      const right = [...relations.keys()].filter((name) => !before.has(name) && !left.includes(name))
      if (list(join.usingClause).length > 0)
        for (const a of left) for (const b of right) bind(relations, a, b)
    } else if ('RangeVar' in item) {
      const { relname, alias } = child(item, 'RangeVar')
      const name = String(isNode(alias) ? alias.aliasname : relname)
      const table = !ctes.has(String(relname)) && isOwned(String(relname)) ? String(relname) : null
      const isPart = ctes.has(String(relname))
      relations.set(name, { table, isTied: isPart, joined: new Set() })
    } else {
      const inner = Object.values(item).find(isNode) ?? {}
      const parameters = parametersIn(inner)
      const isGiven = 'RangeFunction' in item && parameters.length > 0 && parameters.every(isKnown)
      relations.set(String(child(inner, 'alias').aliasname), {
        table: null,
        isTied: 'RangeSubselect' in item || isGiven,
        joined: new Set(),
        isGiven,
      })
    }
  }

  function tie(condition: unknown, relations: Map<string, Relation>): void {
    if (!isNode(condition)) return
    const both = child(condition, 'BoolExpr')
    if (both.boolop === 'AND_EXPR') for (const each of list(both.args)) tie(each, relations)
    const { kind, name, lexpr, rexpr } = child(condition, 'A_Expr')
    if (isNever(lexpr, rexpr)) for (const one of relations.values()) one.isTied = true
    const operator = list(name)
      .map((part) => child(part, 'String').sval)
      .join('')
    if (operator === '=' && ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(String(kind))) {
      equate(lexpr, rexpr, relations)
      equate(rexpr, lexpr, relations)
    }
    const sub = child(condition, 'SubLink')
    if (sub.subLinkType === 'ANY_SUBLINK')
      for (const column of columnsIn(sub.testexpr))
        for (const one of owner(column, relations)) one.isTied = true
  }

  function equate(side: unknown, other: unknown, relations: Map<string, Relation>): void {
    const own = columnsIn(side)
    if (own.length === 0 || !isBareColumn(side)) return
    for (const column of own)
      for (const relation of owner(column, relations)) {
        const others = columnsIn(other)
        if (others.length > 0) {
          for (const outer of others) {
            const inside = [...relations].filter(([, one]) => owner(outer, relations).includes(one))
            if (inside.length === 0) relation.isTied = true
            for (const [name, one] of inside) {
              if (one.isGiven && !isId(column)) continue
              relation.joined.add(name)
              for (const [mine, it] of relations) if (it === relation) one.joined.add(mine)
            }
          }
        } else if (isNull(other)) {
          relation.isTied = true
        } else if (isId(column)) {
          const parameters = parametersIn(other)
          const isOurs = column.at(-1) === 'workspace_id' || parameters.every(isKnown)
          if (isOurs && (parameters.length > 0 || hasSubquery(other))) relation.isTied = true
        }
      }
  }

  function owner(column: string[], relations: Map<string, Relation>): Relation[] {
    const qualified = column.length > 1 ? relations.get(column.at(-2) ?? '') : undefined
    if (column.length > 1) return qualified ? [qualified] : []
    return [...relations]
      .filter(([, { table }]) => table && columns.get(table)?.has(column[0] ?? ''))
      .map(([, one]) => one)
  }
}

const isId = (column: string[]): boolean => /(^|_)id$/.test(column.at(-1) ?? '')
const bind = (relations: Map<string, Relation>, a: string, b: string) => {
  relations.get(a)?.joined.add(b)
  relations.get(b)?.joined.add(a)
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const child = (value: Node, name: string): Node => (isNode(value[name]) ? value[name] : {})
/** What Prisma writes for an empty list: `1=0`, and `IN (NULL)`. */
const isNever = (...sides: unknown[]): boolean => {
  const [left, right] = sides.map((side) =>
    isNode(side) ? child(child(side, 'A_Const'), 'ival').ival : undefined,
  )
  return isNode(sides[1]) && 'A_Const' in sides[1] && left === 1 && right === undefined
}
const isNull = (value: unknown): boolean =>
  isNode(value) &&
  list(child(value, 'List').items).every((item) => child(item, 'A_Const').isnull === true) &&
  'List' in value
const isBareColumn = (value: unknown): boolean =>
  isNode(value) &&
  ('ColumnRef' in value ||
    ('TypeCast' in value && isBareColumn(child(value, 'TypeCast').arg)) ||
    'RowExpr' in value)
const hasSubquery = (value: unknown): boolean => isNode(value) && 'SubLink' in value

/** The columns that an expression names, except those in its subqueries. */
function columnsIn(value: unknown): string[][] {
  if (Array.isArray(value)) return value.flatMap(columnsIn)
  if (!isNode(value) || 'SubLink' in value) return []
  if ('ColumnRef' in value)
    return [list(child(value, 'ColumnRef').fields).map((field) => String(child(field, 'String').sval))]
  return Object.values(value).flatMap(columnsIn)
}

function parametersIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(parametersIn)
  if (!isNode(value)) return []
  if ('ParamRef' in value) return [Number(child(value, 'ParamRef').number)]
  return Object.values(value).flatMap(parametersIn)
}
