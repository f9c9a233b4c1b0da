-- A post that was given up stays unseen unless its owner hears of it: it left by itself, at a time of its own.
CREATE FUNCTION tell_of_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'post.failed') THEN
    INSERT INTO webhook_events (user_id, type, at, data) VALUES (NEW.user_id, 'post.failed', now(),
      jsonb_build_object('post_id', NEW.id, 'connected_account_id', NEW.connected_account_id,
        'text', left(NEW.text, 500), 'error', NEW.last_error));
  END IF;
  INSERT INTO notifications (user_id, kind, data) VALUES (NEW.user_id, 'post_failed',
    jsonb_build_object('name', left(regexp_replace(NEW.text, '\s+', ' ', 'g'), 60), 'reason', left(NEW.last_error, 500),
      'post_id', NEW.id));
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_post AFTER UPDATE OF "status" ON "social_posts"
  FOR EACH ROW WHEN (OLD.status <> 'failed' AND NEW.status = 'failed') EXECUTE FUNCTION tell_of_post();
