/**
 * Sagas: steps that all complete or are all undone, whichever process dies. The journal in the store has one
 * entry per step:
 *
 *              call sent       call took effect       ready to use
 *     begun ───────────────► applied ───────────────► done
 *       │  ▲                    │    (settle)          │
 *       │  │ sent again         └──────────┬───────────┘
 *       │  │                               │ rollback
 *       ├─► refused   (nothing was made)   │
 *       │                                  ▼
 *       └─► orphaned ──────────────────► undone
 *
 * A step is orphaned when its run died or got no response: no second call is sent until the first can no
 * longer take effect. `runSaga` runs the steps in order, `runStep` one step, `rollBack` undoes them in
 * reverse order. After a step with `commits` there is no rollback: what fails is retried. `sweepSaga` repeats
 * for an ended job what could not be undone.
 */
export * from './journal.ts';
export * from './run-saga.ts';
export * from './saga.ts';
export * from './step.ts';
export * from './sweep-saga.ts';
