/** How many files a folder of the product may have, and which folders may import which. */
import { posix } from 'node:path'
import { type Module, targetOf } from './architecture.ts'

export const roomLimit = 20

/** @param paths of files of code @returns a line for each folder with too many files directly in it */
export function tooFull(paths: readonly string[]): string[] {
  const files = new Map<string, number>()
  for (const path of paths) files.set(posix.dirname(path), (files.get(posix.dirname(path)) ?? 0) + 1)
  return [...files]
    .filter(([, count]) => count > roomLimit)
    .map(([folder, count]) => `${folder} has ${count} files`)
}

/** The table of routes, which the router's plugin writes beside `main.tsx`. */
const GENERATED = 'routeTree.gen.ts'

/** @returns the folders that are part of a circle of imports, or lie between two; lazy imports count, too */
export function roomsInCircles(modules: readonly Module[]): string[] {
  const edges = modules.flatMap(({ path, imports }) => {
    const from = posix.dirname(path)
    const into = imports
      .filter(({ specifier }) => !specifier.endsWith(GENERATED))
      .map(({ specifier }) => posix.dirname(targetOf(path, specifier) ?? path))
    return into.filter((to) => to !== from && /^(src|sync|schemas)\b/.test(to)).map((to) => ({ from, to }))
  })
  const peeled = (rest: typeof edges): typeof edges => {
    const [sources, targets] = [new Set(rest.map(({ from }) => from)), new Set(rest.map(({ to }) => to))]
    const next = rest.filter(({ from, to }) => targets.has(from) && sources.has(to))
    return next.length === rest.length ? rest : peeled(next)
  }
  return [...new Set(peeled(edges).map(({ from }) => from))].toSorted()
}
