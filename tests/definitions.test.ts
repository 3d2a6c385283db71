/**
 * From a save and from a form an editor's "go to definition" leads to the write into the collection, hop by hop, with no
 * interface in between at which it ends. The language server of `tsc` answers, as in an editor.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Place {
  uri: string
  range: { start: Position; end: Position }
}
interface Position {
  line: number
  character: number
}
interface Outline extends Pick<Place, 'range'> {
  name: string
  children?: Outline[]
}

const root = resolve(import.meta.dirname, '..')
const uriOf = (path: string) => pathToFileURL(resolve(root, path)).href
const isOwn = ({ uri }: Place) => uri.startsWith(`${uriOf('src')}/`)
/** What RxDB offers for a write. */
const WRITES = /^(?:bulkWrite|bulkInsert|bulkUpsert|insert|upsert)$/

/** A language server, spoken to in messages of JSON with their lengths. */
function languageServer() {
  const server = spawn(resolve(root, 'node_modules/.bin/tsc'), ['--lsp', '--stdio'], { cwd: root })
  const waiting = new Map<number, (result: unknown) => void>()
  let [received, last] = [Buffer.alloc(0), 0]
  const send = (message: object) => {
    const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    server.stdin.write(`Content-Length: ${text.length}\r\n\r\n`)
    server.stdin.write(text)
  }
  server.stdout.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    for (;;) {
      const head = received.indexOf('\r\n\r\n')
      const end = head + 4 + Number(/Content-Length: (\d+)/.exec(received.subarray(0, head).toString())?.[1])
      if (head < 0 || received.length < end) return
      const { id, method, result } = JSON.parse(received.subarray(head + 4, end).toString())
      received = received.subarray(end)
      // a question of the server's
      if (method && id !== undefined) send({ id, result: null })
      else waiting.get(id)?.(result)
    }
  })
  const ask = <T>(method: string, params: object) =>
    new Promise<T>((done) => {
      last += 1
      waiting.set(last, (result) => done(result as T))
      send({ id: last, method, params })
    })
  return { ask, tell: (method: string, params: object) => send({ method, params }), end: () => server.kill() }
}

const server = languageServer()
const opened = new Map<string, { text: string; outline: Outline[] }>()

async function open(uri: string) {
  const known = opened.get(uri)
  if (known) return known
  const text = readFileSync(fileURLToPath(uri), 'utf8')
  const languageId = uri.endsWith('x') ? 'typescriptreact' : 'typescript'
  server.tell('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } })
  const outline = await server.ask<Outline[]>('textDocument/documentSymbol', { textDocument: { uri } })
  opened.set(uri, { text, outline })
  return { text, outline }
}

/** The function of the file's outermost level that a place is in, with its code. */
async function functionAt(uri: string, line: number) {
  const { text, outline } = await open(uri)
  const found = outline.find(({ range }) => range.start.line <= line && line <= range.end.line)
  if (!found) return null
  const lines = text.split('\n').slice(found.range.start.line, found.range.end.line + 1)
  return { name: found.name, from: found.range.start.line, lines }
}

const definitions = (uri: string, position: Position) =>
  server.ask<Place[] | null>('textDocument/definition', { textDocument: { uri }, position })

/** Where the names in a function are defined, each name once. */
async function namesIn(uri: string, from: number, lines: readonly string[]) {
  const seen = new Set<string>()
  const asked: Promise<{ word: string; places: Place[] }>[] = []
  for (const [row, text] of lines.entries())
    for (const { 0: word, index } of text.matchAll(/(?<![\w'])[A-Za-z_$][\w$]{2,}/g)) {
      if (seen.has(word)) continue
      seen.add(word)
      const position = { line: from + row, character: index + 1 }
      asked.push(definitions(uri, position).then((places) => ({ word, places: places ?? [] })))
    }
  return Promise.all(asked)
}

/** @returns the functions from `name` to a write of RxDB's, or null if no definition leads to one */
async function pathToWrite(path: string, name: string): Promise<string[] | null> {
  const uri = uriOf(path)
  const start = (await open(uri)).outline.find((each) => each.name === name)
  if (!start) throw new Error(`${name} is not in ${path}`)
  const queue = [{ uri, line: start.range.start.line, before: [] as string[] }]
  const seen = new Set<string>()
  for (const { uri: at, line, before } of queue) {
    const own = await functionAt(at, line)
    if (!own || seen.has(`${at} ${own.name}`)) continue
    seen.add(`${at} ${own.name}`)
    const here = [...before, own.name]
    for (const { word, places } of await namesIn(at, own.from, own.lines)) {
      if (WRITES.test(word) && places.some((place) => place.uri.includes('/rxdb/'))) return [...here, word]
      for (const place of places.filter(isOwn))
        queue.push({ uri: place.uri, line: place.range.start.line, before: here })
    }
  }
  return null
}

const capabilities = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } }

beforeAll(async () => {
  await server.ask('initialize', { processId: process.pid, rootUri: uriOf('.'), capabilities })
  server.tell('initialized', {})
})
afterAll(() => void server.end())

test.each([
  ['src/features/quick-report/commands.ts', 'saveReport'],
  ['src/features/quick-report/quick-report-add-screen.tsx', 'QuickReportAddScreen'],
])(
  'in %s the definitions lead from %s to a write of RxDB, in at most eight functions',
  async (path, name) => {
    const functions = await pathToWrite(path, name)
    expect(functions?.slice(-3)).toEqual(['addChanges', 'writeTogether', 'bulkWrite'])
    expect(functions?.length).toBeLessThanOrEqual(8)
  },
)

test('from a function that writes nothing no definition leads there', async () => {
  expect(await pathToWrite('src/data/changes/changes.ts', 'newChange')).toBeNull()
})
