/**
 * What goes on while something is waited for is moved, not drawn anew: the page's thread is the start's
 * (decisions/speed).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

/** What a browser can change beside the page's thread. */
const BESIDE = new Set(['transform', 'opacity'])
const folder = resolve(import.meta.dirname, '../src')

/** @returns `keyframes: property` for all that an endless animation changes on the page's thread */
function drawnEndlessly(css: string): string[] {
  const endless = [...css.matchAll(/animation:([^;]*\binfinite\b[^;]*);/g)]
    .map(([, text = '']) => text)
    .join()
  return [...css.matchAll(/@keyframes ([\w-]+) \{((?:[^{}]*\{[^{}]*\})*)/g)]
    .filter(([, name = '']) => new RegExp(`\\b${name}\\b`).test(endless))
    .flatMap(([, name, frames = '']) =>
      [...frames.matchAll(/([\w-]+):/g)].map(([, property = '']) => [name, property] as const),
    )
    .flatMap(([name, property]) => (BESIDE.has(property) ? [] : [`${name}: ${property}`]))
}

test('[decisions/speed] nothing that goes on for ever is drawn anew in each frame', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  )
  const css = files.map((name) => readFileSync(resolve(folder, name), 'utf8')).join('\n')
  expect(css.match(/\binfinite\b/g)?.length).toBeGreaterThan(2)
  expect(drawnEndlessly(css)).toEqual([])
  const shimmer = '@keyframes sheen { from { background-position: 0 } to { opacity: 1 } }'
  expect(drawnEndlessly(`.a { animation: sheen 1s infinite; } ${shimmer}`)).toEqual([
    'sheen: background-position',
  ])
  expect(drawnEndlessly(`.a { animation: sheen 1s; } ${shimmer}`)).toEqual([])
})
