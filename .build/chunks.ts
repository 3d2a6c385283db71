/**
 * Code that two or more lazy parts of the app share, in three files by what it needs (decisions/speed): a start loads no
 * ArkType, and a list no forms.
 *
 *     shared ←─ rules (ArkType) ←─ forms
 */

const ARKTYPE = /\/node_modules\/(?:arktype|@ark|arkregex)\//
/** The forms' library, and the photos that forms take. */
const FORMS =
  /\/node_modules\/@tanstack\/(?:form-core|react-form|devtools-event-client)\/|\/src\/features\/photo\//

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const NAMES = ['shared', 'rules', 'forms'] as const

/** What a module needs itself or by its static imports: 0 neither, 1 ArkType, 2 forms. */
const known = new Map<string, number>()

function needOf(id: string, modules: Modules): number {
  const before = known.get(id)
  if (before !== undefined) return before
  // a circle of imports ends here
  known.set(id, 0)
  const own = FORMS.test(id) ? 2 : ARKTYPE.test(id) ? 1 : 0
  const imported = modules.getModuleInfo(id)?.importedIds ?? []
  const need = Math.max(own, ...imported.map((each) => needOf(each, modules)))
  known.set(id, need)
  return need
}

/** The groups of it, for Rolldown: each takes along what its modules import and no group before it has. */
export const sharedGroups = NAMES.map((name, need) => ({
  name: (id: string, modules: Modules) => (needOf(id, modules) === need ? name : null),
  // What a report is made with is for those who make one.
  test: /\/(?:src(?!\/features\/report-pdf\/)|schemas|sync)\/|\/node_modules\/@tanstack\//,
  minShareCount: 2,
}))
