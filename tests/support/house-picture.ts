/** The house as one picture: its rooms, and who imports whom, read from the imports themselves. */
import { areaOf, targetOf, type Module } from './architecture.ts'

/** `from` imports `to`. */
type Edge = readonly [from: string, to: string]

/** What a room is for, in the picture. A room without a line here is a failure of the test. */
const ROOMS: Readonly<Record<string, string>> = {
  'src/app': '組み立て、起動、番人',
  'src/routes': 'URL → 画面',
  'src/features': '画面・入力・規則・命令',
  'src/form': 'フォームの結び目',
  'src/ui': '見た目の部品',
  'src/messages': '文言の表',
  'src/data': '端末のデータベースと問い合わせ',
  'src/lib': '東京時刻ほか',
  'src/demo-crm': '契約どおりの CRM',
  sync: '送る・読む',
  schemas: '何が正しいか',
}

/** @returns the room of a source in the picture, or undefined for what is not in it (tests, generated files) */
function roomOf(path: string): string | undefined {
  if (/\.gen\.tsx?$/.test(path)) return undefined
  const area = areaOf(path)
  if (area === 'tests') return undefined
  return area === 'src' ? 'src/app' : area.startsWith('src/features') ? 'src/features' : area
}

/** @returns each pair of rooms of which one imports the other, sorted, once */
export function edgesOf(modules: readonly Module[]): Edge[] {
  const found = new Map<string, Edge>()
  for (const { path, imports } of modules) {
    const from = roomOf(path)
    if (from === undefined) continue
    for (const { specifier } of imports) {
      const target = targetOf(path, specifier)
      const to = target === undefined ? undefined : roomOf(target)
      if (to !== undefined && from !== to) found.set(`${from} ${to}`, [from, to])
    }
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, edge]) => edge)
}

/** @returns whether `to` can be reached from `from` over at least one room between them */
function isRoundabout([from, to]: Edge, edges: readonly Edge[]): boolean {
  const seen = new Set<string>([from])
  const ahead = edges.filter(([start, end]) => start === from && end !== to).map(([, end]) => end)
  for (let room = ahead.pop(); room !== undefined; room = ahead.pop()) {
    if (room === to) return true
    if (seen.has(room)) continue
    seen.add(room)
    ahead.push(...edges.filter(([start]) => start === room).map(([, end]) => end))
  }
  return false
}

/** Without the arrows that follow from others: what is left is the order of the floors. */
export const reduced = (edges: readonly Edge[]): Edge[] => edges.filter((edge) => !isRoundabout(edge, edges))

const idOf = (room: string) => room.replaceAll(/\W/g, '_')

/**
 * @returns the picture in Mermaid, an arrow from the importing room to the imported one
 * @throws where a room has no line in `ROOMS`
 */
export function pictureOf(modules: readonly Module[]): string {
  const edges = edgesOf(modules)
  const rooms = [
    ...new Set([...edges.flat(), ...modules.flatMap(({ path }) => roomOf(path) ?? [])]),
  ].toSorted()
  const boxes = rooms.map((room) => {
    const purpose = ROOMS[room]
    if (purpose === undefined) throw new Error(`${room} has no line in tests/support/house-picture.ts`)
    return `  ${idOf(room)}["${room}/<br>${purpose}"]`
  })
  const arrows = reduced(edges).map(([from, to]) => `  ${idOf(from)} --> ${idOf(to)}`)
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```'].join('\n')
}
