package told

// A Retriever gives what a key is locked with.
type Retriever func(key string, try int) (passphrase string, giveUp bool, err error)

type store struct {
	retriever Retriever
	token     func(key string) (token string, giveUp bool, err error)
}

// A person is asked again at once.
func (s *store) unlock(key string) (phrase string, err error) {
	var giveUp bool
	for try := 0; ; try++ {
		if phrase, giveUp, err = s.retriever(key, try); err == nil {
			return phrase, nil
		}
		if giveUp || try > 10 {
			return "", err
		}
	}
}

func (s *store) fetch(key string) (token string, err error) {
	var giveUp bool
	for try := 0; ; try++ { // want `a failed s.token is repeated at once`
		if token, giveUp, err = s.token(key); err == nil {
			return token, nil
		}
		if giveUp || try > 10 {
			return "", err
		}
	}
}
