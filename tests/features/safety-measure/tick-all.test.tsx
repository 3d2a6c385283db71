import { act } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CheckList, isInSight } from '#ui/controls/tick.tsx'
import { renderFeature } from '../../support/render-feature.tsx'

const rect = (height: number) => ({ height }) as DOMRectReadOnly

describe('[hands 5] a line was in sight', () => {
  test.each([
    ['whole', 1, 60, true],
    ['nearly whole', 0.9, 54, true],
    ['half of it', 0.5, 30, false],
    ['half a screen of one that is higher than the screen', 0.3, 320, true],
    ['nothing of it', 0, 0, false],
  ])('%s', (_, intersectionRatio, height, seen) => {
    expect(isInSight({ intersectionRatio, intersectionRect: rect(height), rootBounds: rect(600) })).toBe(seen)
  })
})

describe('[hands 5] すべて確認', () => {
  let tell: (lines: Element[]) => void = () => undefined
  afterEach(() => vi.unstubAllGlobals())

  class Observer {
    readonly lines: Element[] = []
    constructor(callback: (entries: object[]) => void) {
      tell = (lines) =>
        callback(
          lines.map((target) => ({
            target,
            intersectionRatio: 1,
            intersectionRect: rect(60),
            rootBounds: rect(600),
          })),
        )
    }
    observe(line: Element) {
      this.lines.push(line)
    }
    unobserve() {}
    disconnect() {}
  }

  function List() {
    const [ticks, setTicks] = useState([false, false])
    return (
      <CheckList
        heading="第三者対策"
        items={['囲った', '表示した']}
        ticks={ticks}
        onTick={(at, on) => setTicks(ticks.with(at, on))}
        onTickAll={() => setTicks([true, true])}
      />
    )
  }

  test('ticks nothing before each line was in sight, then all of them', async () => {
    vi.stubGlobal('IntersectionObserver', Observer)
    const { screen, user } = await renderFeature(<List />)
    const button = screen.getByRole('button', { name: '第三者対策 すべて確認' })
    const [first, second] = screen.getAllByRole('listitem')
    if (!first || !second) throw new Error('two lines')
    await user.click(button)
    act(() => tell([first]))
    await user.click(button)
    expect(screen.getByText('項目をすべて見ると押せます')).toBeTruthy()
    expect(screen.queryAllByRole('checkbox', { checked: true })).toEqual([])
    act(() => tell([second]))
    await user.click(screen.getByRole('button', { name: '第三者対策 すべて確認' }))
    expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(2)
    expect(screen.getByRole('button', { name: '第三者対策 全項目を確認済' })).toBeTruthy()
  })
})
