package checkpoint

func (ck *Checkpoint) readFolder() error { return unsupported(ck.Path, "", "a folder", "a .gguf file") }
