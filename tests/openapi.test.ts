/**
 * `docs/generated/openapi.json`: the contract for the CRM's people (decisions/contract). It is as the declarations and the demo
 * CRM have it, a maintained linter finds nothing in it, and every answer of the demo CRM keeps it.
 */
import { resolve } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { fileStoreRoutes } from '#demo-crm/resources/file-store.ts'
import { restRoutes } from '#demo-crm/dispatch.ts'
import { emptyContent } from '#schemas/declare/form-values.ts'
import { quickReport, type QuickReportChange } from '#schemas/resources/quick-report.ts'
import { requestWire } from '#schemas/resources/request.ts'
import { bodyOf, timesInTokyo } from '#sync/wire/declared.ts'
import { editBody, entryBody, exitBody } from '#sync/resources/quick-report.ts'
import { clauses } from './conform/clauses.ts'
import { openTalk, type Exchange } from './openapi/conversation.ts'
import { aDay } from './openapi/day.ts'
import { declaredNames } from './openapi/declared-operations.ts'
import { documentOf } from './openapi/document.ts'
import { fileOperations, FS } from './openapi/file-operations.ts'
import { mainOperations } from './openapi/operations.ts'
import { REST } from './openapi/calls.ts'
import { content, fieldsOf, filledIn } from './support/declared-values.ts'
import { checkerOf, keysIn, namedIn, namesIn, propertiesOf, withoutExamples } from './openapi/validate.ts'

const operations = [...mainOperations, ...fileOperations]

/** Ids and tokens in the order in which they are given: the document is the same each time. */
function numberedIds() {
  let last = 0
  const spy = vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    last += 1
    return `${last.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  })
  return () => spy.mockRestore()
}

async function converse(): Promise<Exchange[]> {
  const restore = numberedIds()
  const talk = openTalk(operations)
  await aDay(talk).finally(restore)
  return talk.exchanges
}

let exchanges: Exchange[]
let document: ReturnType<typeof documentOf>
let check: ReturnType<typeof checkerOf>
beforeAll(async () => {
  exchanges = await converse()
  document = documentOf(operations, exchanges)
  check = checkerOf(document)
})

const textOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** What the linter finds, by its recommended rules. */
async function problemsOf(value: unknown): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    // the app's addresses of creating calls end so, and the signature is made of them
    rules: { 'no-path-trailing-slash': 'off' },
  })
  const problems = await lintFromString({
    source: textOf(value),
    absoluteRef: resolve('docs/generated/openapi.json'),
    config,
  })
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  )
}

test('the committed document is the one of the declarations and of the demo CRM', async () => {
  await expect(textOf(document), 'npm run openapi writes it anew').toMatchFileSnapshot(
    '../docs/generated/openapi.json',
  )
})

test('it is the same whenever it is made', async () => {
  expect(textOf(documentOf(operations, await converse()))).toBe(textOf(document))
})

describe('the linter', () => {
  test('finds nothing, by its recommended rules', async () => {
    expect(await problemsOf(document)).toEqual([])
  })

  test('finds an example that its schema does not allow, and a schema that is not there', async () => {
    const broken = structuredClone(document)
    const [login, refresh] = Object.entries(broken.paths).slice(1)
    broken.paths = Object.fromEntries([login, refresh].flatMap((one) => (one ? [one] : [])))
    Object.assign(broken.components.schemas['TokenPair'] ?? {}, { required: ['sessionId'] })
    Object.assign(broken.components.schemas['Login'] ?? {}, {
      properties: { a: { $ref: '#/components/schemas/None' } },
    })
    const found = await problemsOf(broken)
    expect(found.some((problem) => problem.startsWith('no-invalid-media-type-examples'))).toBe(true)
    expect(found.some((problem) => problem.startsWith('no-unresolved-refs'))).toBe(true)
  })
})

describe('the demo CRM and the document', () => {
  test('have the same calls', () => {
    const named = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, '*').replace(/\/$/, '')
    const routes = [
      ...restRoutes().map(({ method, path }) => `${method} ${REST}/${path}`),
      ...fileStoreRoutes('').map(({ method, path }) => `${method} ${FS}/${path}`),
    ].map(named)
    const beside = ['check', 'login', 'refreshToken', 'fileToken']
    const calls = operations.filter(({ id }) => !beside.includes(id))
    expect(calls.map(({ method, path }) => named(`${method} ${path}`)).toSorted()).toEqual(routes.toSorted())
  })

  test('every call was asked, and did what it is for', () => {
    const done = new Set(
      exchanges.flatMap(({ operation, answer }) =>
        answer.status === operation.success.status && answer.json?.success !== false ? [operation.id] : [],
      ),
    )
    expect(operations.filter(({ id }) => !done.has(id)).map(({ id }) => id)).toEqual([])
  })

  test('every status, body and header of every answer is in the document, and nothing else is', () => {
    expect(exchanges.flatMap(check.faultsAnswered)).toEqual([])
  })

  test('an answer is found that has a field too many, lacks one, has another status, or no count', () => {
    const search = exchanges.find(({ operation }) => operation.id === 'searchRequests')
    if (!search) throw new Error('nothing was searched')
    const [row] = search.answer.json
    const answering = (change: object): Exchange => ({ ...search, answer: { ...search.answer, ...change } })
    const { ttsOrder: _, ...without } = row
    expect(check.faultsAnswered(answering({ json: [{ ...row, more: 1 }] }))).toHaveLength(1)
    expect(check.faultsAnswered(answering({ json: [without] }))).toHaveLength(1)
    expect(check.faultsAnswered(answering({ json: [{ ...row, workingDate: '11/20' }] }))).toHaveLength(1)
    expect(check.faultsAnswered(answering({ status: 418 }))).toHaveLength(1)
    expect(check.faultsAnswered(answering({ headers: new Headers() }))).not.toEqual([])
  })

  test('every name that an answer may have is in an answer', () => {
    const sent = /(?:Create|Edit|Entry|Exit)$/
    const schemas = Object.entries(document.components.schemas).filter(([name]) => !sent.test(name))
    const said = new Set(exchanges.flatMap(({ answer }) => keysIn(answer.json)))
    const unsaid = schemas.flatMap(([name, schema]) =>
      namesIn(schema).flatMap((property) => (said.has(property) ? [] : [`${name}.${property}`])),
    )
    // past reports are read by device; a request may name its own (crm-contract 4)
    expect([...new Set(unsaid)]).toEqual(['RequestRow.report', 'Request.report'])
  })

  test('what the app sends in the day has the form of the bodies', () => {
    const sent = exchanges.filter(({ answer }) => [200, 201, 204].includes(answer.status))
    expect(sent.flatMap(check.faultsSent)).toEqual([])
    const wrong = sent.find(({ operation }) => operation.id === 'createNoteLocationArea')
    if (!wrong) throw new Error('no note was written')
    const note = (text: string) => ({ ...wrong, sent: { ...wrong.sent, note: text } })
    expect(check.faultsSent(note('あ'.repeat(1000)))).toEqual([])
    expect(check.faultsSent(note('あ'.repeat(1001)))).toHaveLength(1)
  })
})

describe('what the app sends', () => {
  const USER = 'ss-2006'
  const RUNS = { numRuns: 50 }
  const time = '2026-11-20T09:00:00+09:00'
  const record = {
    requestId: 'r-1',
    workingDate: '2026-11-20',
    workingDateType: '1',
    safetyType: '3',
    contactType: '02',
  }
  const calls = declaredNames.flatMap(({ declaration, name }) =>
    (['create', 'edit'] as const).flatMap((call) =>
      declaration.sends[call]
        ? [{ declaration, call, component: `${name}${call === 'create' ? 'Create' : 'Edit'}` }]
        : [],
    ),
  )

  test.each(calls)(
    '$component has every field of the body, and no other',
    ({ declaration, call, component }) => {
      const chosen = fieldsOf(declaration).filter(([, { from }]) => from === 'choice')
      const choices = Object.fromEntries(chosen.map(([name, field]) => [name, filledIn(field)]))
      fc.assert(
        fc.property(content(declaration), (fields) => {
          const said = timesInTokyo(declaration, { ...fields, ...choices })
          const body = bodyOf(declaration, call, record, said, USER)
          expect(check.faultsOf(component, body)).toBeNull()
          expect(Object.keys(body).toSorted()).toEqual(propertiesOf(document, component).toSorted())
        }),
        RUNS,
      )
    },
  )

  test('the bodies of quick reports as well', () => {
    fc.assert(
      fc.property(content(quickReport), (fields) => {
        const said = { ...emptyContent(quickReport), ...fields, inTime: time, outTime: time }
        const made = { id: 'c-1', stamp: '1', savedAt: time, userId: USER, offline: false }
        const change: QuickReportChange = { ...made, kind: 'entry', fields: said }
        const state = { key: 'k', serverId: '', unsent: 'yes' } as const
        const entry = entryBody({ ...record, ...state, changes: [change] }, change, USER)
        expect(check.faultsOf('QuickReportEntry', entry)).toBeNull()
        expect(check.faultsOf('QuickReportExit', exitBody(said, ['q-1'], USER))).toBeNull()
        expect(check.faultsOf('QuickReportEdit', editBody(said, USER))).toBeNull()
      }),
      RUNS,
    )
  })
})

test('the app reads no field of a request that the document lacks', () => {
  const read = requestWire.props.map(({ key }) => key)
  const said: readonly string[] = propertiesOf(document, 'Request')
  expect(read.filter((name) => !said.includes(name))).toEqual([])
})

test('every answer in JSON has an example, and every message key is in one', () => {
  const lacking = Object.values(document.paths).flatMap((calls) =>
    Object.values(calls).flatMap((call) => withoutExamples(call)),
  )
  expect(lacking).toEqual([])
})

test('every clause of the conformance test has its place, and no other number', () => {
  const numbers = clauses.map(({ id }) => id)
  expect(namedIn(document)).toEqual(numbers)
})
