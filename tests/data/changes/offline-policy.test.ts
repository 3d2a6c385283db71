import { describe, expect, test } from 'vitest'
import { isOffered, maySave } from '#data/changes/offline-policy.ts'

type Slug = Parameters<typeof isOffered>[0]
type Action = Parameters<typeof isOffered>[1]

describe('[spec 4][screens] what one may do without a signal', () => {
  test.each<[Slug, Action, offered: boolean, save: boolean]>([
    ['quickReport', 'add', true, true],
    ['quickReport', 'edit', true, true],
    ['safetyMeasure', 'add', true, true],
    ['safetyMeasure', 'edit', true, true],
    ['emergencyReport', 'add', true, true],
    ['emergencyReport', 'edit', true, true],
    ['customerLocationChangeRequest', 'add', false, true],
    ['customerLocationChangeRequest', 'edit', false, false],
    ['locationContactChangeRequest', 'add', false, true],
    ['locationContactChangeRequest', 'edit', false, true],
    ['noteLocationArea', 'add', false, true],
    ['noteLocationArea', 'edit', false, true],
  ])('%s %s: link %s, save %s; online both', (slug, action, offered, save) => {
    expect([isOffered(slug, action, false), maySave(slug, action, false)]).toEqual([offered, save])
    expect([isOffered(slug, action, true), maySave(slug, action, true)]).toEqual([true, true])
  })
})
