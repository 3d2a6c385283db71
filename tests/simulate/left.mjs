/**
 * What the simulations leave of `sync/`, and why: printed beside the lines by `npm run simulate -- --executed`. As read from
 * the lines; a file that is not here and has some left is printed with a question mark.
 */
const BROWSER = 'the model stands for this part of the browser'
const STATIC = 'counting of calls and times, nothing of the engine goes by it'
const HOSTILE = 'answers beyond all measure or shape: the models answer within the contract'
const RARE = 'a crash or a second tab within a few milliseconds: not every seed meets it'

export const LEFT = {
  'sync/leadership/lease.ts': BROWSER,
  'sync/lib/trusted-clock.ts': RARE,
  'sync/merge/merge.ts': 'edits of before `madeOn`, as an older version saved them',
  'sync/merge/merge-rows.ts': 'rows that cannot be read, and ones that an unsent create may have made',
  'sync/photos/file-store.ts': 'pictures that are only looked at, and a folder with too many files to list',
  'sync/photos/photo-store.ts': 'bytes that belong to no photo: a page died between two writes, a day ago',
  'sync/photos/pull-photos.ts': 'a picture that is asked for and has no file, or cannot be had',
  'sync/photos/send-photo.ts': 'a deletion that the file store refuses for good',
  'sync/photos/start-photos.ts': 'the push of photos: the sending half has a model of RxDB, by virtual time',
  'sync/pull/records/record-lists.ts': RARE,
  'sync/pull/engine/engine.ts': 'a list that nobody looks at any more, given up in the middle of its read',
  'sync/wire/declared.ts': HOSTILE,
  'sync/pull/records/pull-quick-reports.ts':
    'a report that the CRM takes away while something is unsent, a summary that did not land, a read by address',
  'sync/pull/records/pull-records.ts': 'a disk that cannot be read while the lists are planned',
  'sync/pull/records/record-reads.ts': HOSTILE,
  'sync/pull/requests/search.ts': `${HOSTILE}; a search that is refused: the model refuses none that the app can ask`,
  'sync/pull/requests/requests-for.ts': 'more requests in one day than a page of the disk holds',
  'sync/changes/attempt.ts': RARE,
  'sync/changes/sender.ts': RARE,
  'sync/changes/send-adapter.ts': 'three refusals in a row without a reason',
  'sync/resources/declared-resource.ts': 'a row that an unsent create may have made',
  'sync/resources/own-rules.ts': HOSTILE,
  'sync/retention/expiry.ts':
    'a day without any answer of the CRM, with more rows than one step takes; drafts, which only screens write; a record that is read a day after a value of it was replaced; a sent photo a day old; what RxDB has deleted days ago, in more than one step',
  'sync/runtime/connectivity.ts': BROWSER,
  'sync/runtime/start-pulls.ts': 'a summary that did not land because the device’s disk was in the way',
  'sync/runtime/start-sync.ts':
    'what the model of the browser stands for, and wishes of 送信状況, of which the sending half has a model of its own',
  'sync/transport/endpoints.ts': STATIC,
  'sync/scheduler/circuit.ts': 'what lies in localStorage and is not ours',
  'sync/scheduler/api.ts': `${HOSTILE}; ${RARE}`,
  'sync/transport/http.ts': HOSTILE,
  'sync/transport/login.ts': 'a wrong password: people of the simulation know theirs',
  'sync/transport/parse-json.ts': HOSTILE,
  'sync/scheduler/read-pages.ts': HOSTILE,
}
