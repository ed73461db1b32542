import express, { type Request, type Response, type Router } from 'express';
import type { Cloud } from '../cloud/cloud.ts';
import type { Hold, HoldSpec } from '../http/holds.ts';

/** `GET /:id?wait_ms=` responds when the hold is reached, or when the time has passed. */
export function holdsRouter(cloud: Cloud): Router {
  const router = express.Router();
  router
    .route('/')
    .get((_req, res) => res.json({ holds: cloud.holds.list() }))
    .post((req, res) => addHold(cloud, req, res))
    .delete((_req, res) => {
      cloud.holds.clear();
      res.status(204).end();
    });
  router.get('/:id', (req, res) => {
    const hold = holdOf(cloud, req, res);
    const waitMs = Number(new URL(req.url, 'http://localhost').searchParams.get('wait_ms') ?? 0);
    void hold?.untilReached(waitMs).then((report) => res.json(report));
  });
  router.post('/:id/release', (req, res) => {
    const hold = holdOf(cloud, req, res);
    hold?.release();
    if (hold !== undefined) res.json(hold.report());
  });
  return router;
}

function addHold(cloud: Cloud, req: Request, res: Response): void {
  try {
    res.status(201).json({ id: cloud.holds.add((req.body ?? {}) as HoldSpec) });
  } catch (error) {
    res.status(400).json({ error: String(error) });
  }
}

function holdOf(cloud: Cloud, req: Request, res: Response): Hold | undefined {
  const hold = cloud.holds.get(Number(req.params.id));
  if (hold === undefined) res.status(404).json({ error: 'there is no such hold' });
  return hold;
}
