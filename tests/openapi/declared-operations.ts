/**
 * The calls of the declared resources (decisions/resources). Quick reports have bodies of their own: `operations.ts`.
 */
import { NoteType } from '#schemas/codes.ts'
import { declared } from '#schemas/collections/declared.ts'
import type { Declaration } from '#schemas/declare/declare.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { done, EDIT_REFUSED, json, made, ok, page, paging, REST, whoAsks } from './calls.ts'
import type { Operation, Query } from './operation.ts'
import { list, ref, sentCode } from './schema.ts'

interface Names {
  /** As component and in the ids of operations. */
  name: string
  tag: string
  /** In the summaries. */
  what: string
}

interface Resource extends Names {
  declaration: Declaration
  /** The calls that there are, with their clauses. */
  create: Pick<Operation, 'clauses' | 'refusals'>
  edit?: Pick<Operation, 'clauses' | 'refusals'>
  read: readonly string[]
  list?: { query: Query[]; counted: boolean; clauses: readonly string[] }
}

const resources: Resource[] = [
  {
    declaration: declared.emergencyReports,
    name: 'EmergencyReport',
    tag: '緊急報告',
    what: '緊急報告',
    create: { clauses: ['D9', 'F4', 'H3', 'H4'] },
    edit: { clauses: ['D10', 'H3', 'H4'], refusals: { 400: EDIT_REFUSED } },
    read: ['D10', 'I11'],
    list: { query: [whoAsks], counted: false, clauses: ['D9'] },
  },
  {
    declaration: declared.safetyMeasures,
    name: 'SafetyMeasure',
    tag: '安全対策',
    what: '安全対策',
    create: {
      clauses: ['D11', 'D12'],
      refusals: { 400: { ec00027: '同じ依頼・作業日・種類の安全対策がもうある' } },
    },
    read: ['D11', 'I11'],
  },
  {
    declaration: declared.customerLocationChangeRequests,
    name: 'CustomerLocationChangeRequest',
    tag: '変更依頼',
    what: '入館・駐車場の変更依頼',
    create: {
      clauses: ['D13', 'D14', 'H7', 'H8'],
      refusals: { 202: { ec00030: 'もうある、またはまだ反映されていない' } },
    },
    edit: { clauses: ['D17', 'H7', 'H8'], refusals: { 400: EDIT_REFUSED } },
    read: ['D13'],
  },
  {
    declaration: declared.locationContactChangeRequests,
    name: 'LocationContactChangeRequest',
    tag: '変更依頼',
    what: '入退館連絡先の変更依頼',
    create: {
      clauses: ['D15', 'D16', 'H9', 'H10', 'H11', 'H12', 'H13', 'H14'],
      refusals: { 202: { ec00026: 'もうある、または変更できない' } },
    },
    edit: { clauses: ['D17', 'H9', 'H10', 'H11', 'H12', 'H13', 'H14'], refusals: { 400: EDIT_REFUSED } },
    read: ['D15'],
  },
  {
    declaration: declared.noteLocationAreas,
    name: 'NoteLocationArea',
    tag: '現場メモ',
    what: '現場メモ',
    create: { clauses: ['D18', 'D20', 'H1', 'H2'] },
    edit: { clauses: ['D19', 'H1', 'H2'] },
    read: ['D19', 'I11'],
    list: {
      query: [
        { name: 'type', schema: sentCode(NoteType), description: 'この種類だけ' },
        whoAsks,
        ...paging(PAGE_SIZE),
      ],
      counted: true,
      clauses: ['B14', 'D18'],
    },
  },
]

/** Two to four: made, read, and, where there are such calls, changed and listed by the request. */
function callsOf({ declaration, name, tag, what, create, edit, read, list: rows }: Resource): Operation[] {
  const base = { tag, guard: 'bearer', missing: true } as const
  const path = `${REST}/${declaration.path}`
  const calls: Operation[] = [
    {
      ...base,
      ...create,
      id: `create${name}`,
      method: 'POST',
      path: `${path}/`,
      summary: `${what}の登録`,
      body: json(ref(`${name}Create`)),
      success: made(ref(`${name}Made`)),
      creates: true,
    },
    {
      ...base,
      id: `read${name}`,
      method: 'GET',
      path: `${path}/{id}`,
      summary: what,
      query: [whoAsks],
      success: ok(what, ref(name)),
      tagged: true,
      clauses: read,
    },
  ]
  if (edit)
    calls.push({
      ...base,
      ...edit,
      id: `edit${name}`,
      method: 'PUT',
      path: `${path}/{id}`,
      summary: `${what}の編集`,
      description: '全部を置き換えます：ない項目は null です。',
      body: json(ref(`${name}Edit`)),
      success: done,
      tagged: true,
    })
  if (rows)
    calls.push({
      ...base,
      id: `list${name}s`,
      method: 'GET',
      path: `${path}/request/{id}`,
      summary: `依頼の${what}`,
      query: rows.query,
      success: rows.counted ? page('新しい順', name) : ok('新しい順', list(ref(name))),
      tagged: true,
      clauses: rows.clauses,
    })
  return calls
}

export const declaredOperations: Operation[] = resources.flatMap(callsOf)
export const declaredNames = resources.map(({ declaration, name }) => ({ declaration, name }))
