/** The camera as a value: what leads to a question, what is counted, when the light is on. */
import fc from 'fast-check'
import { expect, describe, test } from 'vitest'
import { canShoot, CLOSED, step, type CameraEvent, type CameraState } from '#features/camera/use-camera.ts'

const size = { width: 1920, height: 1440 }
const events = fc.array(
  fc.oneof(
    fc.constant<CameraEvent>({ kind: 'ask' }),
    fc.boolean().map((hasTorch): CameraEvent => ({ kind: 'opened', size, hasTorch })),
    fc
      .constantFrom('hidden' as const, 'ended' as const, 'refused' as const)
      .map((why): CameraEvent => ({ kind: 'stop', why })),
    fc.boolean().map((isOn): CameraEvent => ({ kind: 'torch', isOn })),
    fc.constant<CameraEvent>({ kind: 'shoot' }),
    fc.constantFrom<CameraEvent>({ kind: 'shot' }, { kind: 'missed' }),
    fc.boolean().map((isStored): CameraEvent => ({ kind: 'stored', isStored })),
  ),
  { maxLength: 60 },
)

const run = (all: readonly CameraEvent[], from = CLOSED) => {
  const states = [from]
  for (const event of all) states.push(step(states.at(-1) as CameraState, event))
  return states
}

describe('[decisions/camera] the camera', () => {
  test('is requested by a press only, one question at a time', () => {
    fc.assert(
      fc.property(events, (all) => {
        const states = run(all)
        for (const [at, event] of all.entries()) {
          const [before, after] = [states[at], states[at + 1]]
          if (after?.phase.kind !== 'opening' || before?.phase.kind === 'opening') continue
          expect(event.kind).toBe('ask')
          expect(before?.phase.kind).toBe('stopped')
        }
      }),
    )
  })

  test('counts each picture once: being stored, stored or refused', () => {
    fc.assert(
      fc.property(events, (all) => {
        const states = run(all)
        const shots = all.filter((event, at) => event.kind === 'shot' && states[at]?.isShooting).length
        const refused = all.filter(
          (event, at) => event.kind === 'stored' && !event.isStored && (states[at]?.pending ?? 0) > 0,
        ).length
        const { pending, stored } = states.at(-1) as CameraState
        expect(pending + stored + refused).toBe(shots)
      }),
    )
  })

  test('has a light only while it is live, and only where the device has one', () => {
    const live = run([{ kind: 'ask' }, { kind: 'opened', size, hasTorch: true }]).at(-1) as CameraState
    const on = step(live, { kind: 'torch', isOn: true })
    expect(on.phase).toEqual({ kind: 'live', size, torch: 'on' })
    const hidden = step(on, { kind: 'stop', why: 'hidden' })
    expect(hidden.phase).toEqual({ kind: 'stopped', why: 'hidden' })
    const again = run([{ kind: 'ask' }, { kind: 'opened', size, hasTorch: true }], hidden).at(-1)
    expect(again?.phase).toEqual({ kind: 'live', size, torch: 'off' })
    const dark = run([
      { kind: 'ask' },
      { kind: 'opened', size, hasTorch: false },
      { kind: 'torch', isOn: true },
    ])
    expect(dark.at(-1)?.phase).toEqual({ kind: 'live', size, torch: 'none' })
  })

  test('takes no picture while one is being taken, nor with six on their way to the disk', () => {
    let state = run([{ kind: 'ask' }, { kind: 'opened', size, hasTorch: false }]).at(-1) as CameraState
    for (let n = 0; n < 6; n += 1) {
      expect(canShoot(state)).toBe(true)
      state = step(state, { kind: 'shoot' })
      expect(canShoot(state)).toBe(false)
      state = step(state, { kind: 'shot' })
    }
    expect(canShoot(state)).toBe(false)
    expect(canShoot(step(state, { kind: 'stored', isStored: true }))).toBe(true)
  })
})
