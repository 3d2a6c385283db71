/** How much memory the browser holds, all its processes together, as Linux tells it (shared pages are counted once). */
import { readdirSync, readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 100
const KB = 1_000

const read = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // it has ended
    return ''
  }
}

/** The processes below this one. */
function below(root) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), Number(/\) \w (\d+)/.exec(read(pid, 'stat'))?.[1])])
  const found = new Set([root])
  for (let before = 0; before !== found.size;) {
    before = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  found.delete(root)
  return [...found]
}

const held = () =>
  below(process.pid).reduce(
    (sum, pid) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) * 1024,
    0,
  )

/** Megabytes of 1,000,000 bytes. */
const megabytes = () => held() / (KB * KB)

/**
 * @returns how much more was held at the most while `work` ran than before it, in megabytes; null where the machine does not
 *   tell (no Linux)
 */
export async function peakOver(work) {
  if (process.platform !== 'linux') return null
  const idle = megabytes()
  let peak = idle
  const looking = setInterval(() => {
    peak = Math.max(peak, megabytes())
  }, LOOK_EVERY_MS)
  try {
    await work()
  } finally {
    clearInterval(looking)
  }
  return peak - idle
}
