/** `docs/generated/plants.md`: how many defects of each room were tried last, and how many were noticed. */

const ROW = /^\| `(\S+)` \| (\d+) \| (\d+) \|$/gm

/** @returns the rows of the page: the room, the defects that were tried, those that a test or a seed noticed */
export const rowsOf = (page) =>
  [...page.matchAll(ROW)].map(([, room, tried, caught]) => ({
    room,
    tried: Number(tried),
    caught: Number(caught),
  }))

/** @returns the page with the counts of these defects; rooms that were not tried now keep theirs */
export function pageOf(page, defects) {
  const rooms = new Map(rowsOf(page).map((row) => [row.room, row]))
  for (const room of new Set(defects.map((each) => each.room))) {
    const own = defects.filter((each) => each.room === room)
    rooms.set(room, { room, tried: own.length, caught: own.filter(({ by }) => by !== null).length })
  }
  const rows = [...rooms.values()].toSorted((a, b) => (a.room < b.room ? -1 : 1))
  const [head] = page.split(/^\| フォルダー/m)
  const lines = rows.map(({ room, tried, caught }) => `| \`${room}\` | ${tried} | ${caught} |\n`)
  return `${head}| フォルダー | 試した欠陥 | 見つかった |\n|---|---|---|\n${lines.join('')}`
}
